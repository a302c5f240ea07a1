package dev.levee.operators.internal.runtime;

import dev.levee.operators.Training;
import dev.levee.operators.internal.loop.EvenKeys;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Slices;

import java.io.Serializable;

/**
 * What all operators of one loop share.
 *
 * @param run the run's id as records carry it
 * @param blockKeys key of each block
 * @param workerKeys key of each worker
 */
record LoopJob(Training training, long run, Slices slices, int[] blockKeys, int[] workerKeys)
        implements Serializable {
    /** The one key of the coordinator. */
    static final int COORDINATOR_KEY = 0;

    static LoopJob of(Training training, int maxParallelism) {
        Slices slices = Slices.of(training.model().layout());
        return new LoopJob(
                training,
                Header.run(training.runId()),
                slices,
                EvenKeys.of(slices.count(), maxParallelism),
                EvenKeys.of(training.workers(), maxParallelism));
    }

    /** Key of a block, some key for a block that does not exist. */
    int blockKey(int block) {
        return blockKeys[Math.floorMod(block, blockKeys.length)];
    }
}
