package dev.levee.jobs.internal.run;

import dev.levee.learners.layers.LayeredNetwork;
import dev.levee.learners.layers.NetworkStages;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.pipeline.PipelinedModel;
import dev.levee.operators.rounds.training.Training;

import java.util.stream.IntStream;

/**
 * The heap that slots of pipelines take at the time when they take most, which is the end of a
 * step: what stages and parameter shards hold, and Flink. Stages and blocks of the model are spread
 * over slots in their order.
 */
final class PipelineHeap {
    /** Classes and buffers of a job took 24 MiB, and new objects have 16 MiB of a small heap. */
    static final long FLINK = 40L << 20;

    private final Training training;
    private final PipelinedModel model;
    private final LayeredNetwork network;
    private final Slices slices;
    private final int slots;

    /**
     * The heap of a training whose stages send their own blocks.
     *
     * @param slots over which the job is spread
     */
    PipelineHeap(Training training, PipelinedModel model, int slots) {
        this.training = training;
        this.model = model;
        this.network = ((NetworkStages) model.model()).network();
        this.slices = Slices.of(model.layout());
        this.slots = slots;
    }

    /**
     * The most that a TaskManager takes, whichever slots it has.
     *
     * @param each slots of a TaskManager
     */
    long most(int each) {
        return FLINK
                + IntStream.range(0, slots)
                        .mapToLong(slot -> -(stages(slot) + shards(slot)))
                        .sorted()
                        .limit(each)
                        .map(bytes -> -bytes)
                        .sum();
    }

    private long stages(int slot) {
        int workers = training.workers();
        int count = model.stages() * workers;
        return IntStream.range(0, count)
                .filter(index -> slot(index, count) == slot && computes(index % workers))
                .mapToLong(index -> stage(index / workers))
                .sum();
    }

    /** Attackers may make their gradients up. */
    private boolean computes(int worker) {
        return worker < training.permanentWorkers() && !training.attacks(worker);
    }

    /** Parameters, gradient, that of one micro-batch, momentum; inputs of all micro-batches. */
    private long stage(int stage) {
        int batch = training.data().batchSize();
        boolean several = Math.min(model.microBatches(), batch) > 1;
        int copies = 2 + (several ? 1 : 0) + (training.work().keepsSent() ? 1 : 0);
        long inputs = network.bytes(network.after(model.firstLayer(stage) - 1)) * batch;
        return copies * bytes(model.parameters(stage)) + inputs;
    }

    /**
     * Parameters and what the server's optimizer carries, and a row of each worker unless rows are
     * added up. Blocks of a single worker mostly come from the stage in the same slot, which holds
     * them anyway.
     */
    private long shards(int slot) {
        int asked = training.plan().perRound(training);
        boolean summed = training.rule().averages() && training.admission().sums(asked);
        int workers = training.permanentWorkers();
        int rows = summed || workers == 1 ? 0 : workers;
        int copies = 1 + training.step().optimizer().moments() + rows;
        return IntStream.range(0, slices.count())
                .filter(block -> slot(block, slices.count()) == slot)
                .mapToLong(block -> copies * bytes(slices.length(block)))
                .sum();
    }

    private int slot(int index, int count) {
        return (int) ((2L * index + 1) * slots / (2L * count));
    }

    private static long bytes(long parameters) {
        return parameters * Float.BYTES;
    }
}
