package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.flink.internal.kafka.Adoption;
import dev.levee.operators.flink.internal.loop.EvenKeys;
import dev.levee.operators.rounds.RunFailedException;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.Training;

import org.apache.flink.runtime.execution.SuppressRestartsException;

import java.io.Serializable;
import java.util.Optional;

/**
 * What all operators of one loop share.
 *
 * @param maxParallelism largest parallelism it can be rescaled to; keys are chosen for it
 * @param blockKeys key of each block
 * @param workerKeys key of each worker
 */
record LoopJob(
        Training training,
        LoopEdge edge,
        int maxParallelism,
        Slices slices,
        int[] blockKeys,
        int[] workerKeys)
        implements Serializable {
    /** The one key of the coordinator. */
    static final int COORDINATOR_KEY = 0;

    static LoopJob of(Training training, LoopEdge edge, int maxParallelism) {
        Slices slices = Slices.of(training.model().layout());
        return new LoopJob(
                training,
                edge,
                maxParallelism,
                slices,
                EvenKeys.of(slices.count(), maxParallelism),
                training.elasticity() == null
                        ? EvenKeys.of(training.workers(), maxParallelism)
                        : EvenKeys.growing(training.mostWorkers(), maxParallelism));
    }

    /** The run's id as records carry it. */
    long run() {
        return edge.run();
    }

    /**
     * The newest version published by an earlier attempt or job, where versions are published.
     *
     * @throws SuppressRestartsException if this run cannot go on
     */
    Optional<Adoption> published() {
        try {
            return edge.published(slices);
        } catch (RunFailedException e) {
            throw new SuppressRestartsException(e);
        }
    }

    /** Key of a block, some key for a block that does not exist. */
    int blockKey(int block) {
        return blockKeys[Math.floorMod(block, blockKeys.length)];
    }
}
