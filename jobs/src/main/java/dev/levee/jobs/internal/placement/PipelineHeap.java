package dev.levee.jobs.internal.placement;

import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.data.Datasets.Split;
import dev.levee.learners.layers.LayeredNetwork;
import dev.levee.learners.layers.NetworkStages;
import dev.levee.operators.rounds.pipeline.PipelinedModel;
import dev.levee.operators.rounds.pipeline.StageShares;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Computes the largest heap that the slots of a pipeline need, which is at the end of a step: for
 * stages, workers, parameter shards, the evaluation, and Flink. Stages, workers and blocks of the
 * model are spread over the slots in order; the evaluation is in the first slot.
 */
public final class PipelineHeap {
    /**
     * Heap of Flink itself: 24 MiB were measured for a job's classes and buffers, and 16 MiB are
     * for new objects.
     */
    public static final long FLINK = 40L << 20;

    /**
     * The heap of a slot.
     *
     * @param own bytes of this slot alone
     * @param training true if the slot needs training samples, which slots of a process share
     * @param test true if the slot needs test samples, which slots of a process share
     */
    private record Slot(long own, boolean training, boolean test) {}

    private final Training training;
    private final PipelinedModel model;
    private final LayeredNetwork network;
    private final Slices slices;
    private final int slots;
    private final int microBatches;
    private final int samples;
    private final long trainingData;
    private final long testData;

    /**
     * Computes the heap of a training whose stages send their blocks themselves.
     *
     * @param slots number of slots that the job is spread over
     */
    public PipelineHeap(Training training, PipelinedModel model, int slots) {
        this.training = training;
        this.model = model;
        this.network = ((NetworkStages) model.model()).network();
        this.slices = Slices.of(model.layout());
        this.slots = slots;
        int batch = training.data().batchSize();
        microBatches = Math.min(model.microBatches(), batch);
        samples = (batch - 1) / microBatches + 1;
        trainingData = Datasets.open(training.data().uri(), Split.TRAIN).heapBytes();
        testData = Datasets.open(training.data().uri(), Split.TEST).heapBytes();
    }

    /**
     * The largest heap of a TaskManager, whichever slots it has.
     *
     * @param each number of slots of a TaskManager
     */
    public long most(int each) {
        List<Slot> largest =
                IntStream.range(0, slots)
                        .mapToObj(this::slot)
                        .sorted(Comparator.comparingLong(this::alone).reversed())
                        .limit(each)
                        .toList();
        return FLINK
                + largest.stream().mapToLong(Slot::own).sum()
                + (largest.stream().anyMatch(Slot::training) ? trainingData : 0)
                + (largest.stream().anyMatch(Slot::test) ? testData : 0);
    }

    /** The largest heap of a TaskManager with one slot that has this stage of one worker. */
    public static long ofStage(Training training, PipelinedModel model, int stage) {
        int workers = training.workers();
        PipelineHeap apart = new PipelineHeap(training, model, model.stages() * workers);
        return FLINK
                + IntStream.range(stage * workers, (stage + 1) * workers)
                        .mapToLong(slot -> apart.alone(apart.slot(slot)))
                        .max()
                        .orElse(0);
    }

    private long alone(Slot slot) {
        return slot.own() + (slot.training() ? trainingData : 0) + (slot.test() ? testData : 0);
    }

    private Slot slot(int slot) {
        boolean worker = workers(slot) > 0;
        boolean evaluation = slot == 0;
        return new Slot(
                stages(slot)
                        + workers(slot) * batch()
                        + shards(slot)
                        + (evaluation ? evaluation() : 0),
                worker,
                evaluation);
    }

    private long stages(int slot) {
        int workers = training.workers();
        int count = model.stages() * workers;
        return IntStream.range(0, count)
                .filter(index -> slot(index, count) == slot && computes(index % workers))
                .mapToLong(index -> stage(index / workers))
                .sum();
    }

    /** Number of workers in a slot. Each holds a batch, which it sends to its first stage. */
    private long workers(int slot) {
        int workers = training.workers();
        return IntStream.range(0, workers)
                .filter(worker -> slot(worker, workers) == slot && computes(worker))
                .count();
    }

    /** Attackers may invent their gradients, so they compute none. */
    private boolean computes(int worker) {
        return worker < training.permanentWorkers() && !training.attacks(worker);
    }

    private long batch() {
        return network.bytes(network.start()) * training.data().batchSize();
    }

    /**
     * Bytes of a stage: parameters, gradient, gradient of one micro-batch, momentum, and messages.
     */
    private long stage(int stage) {
        int copies = 2 + (microBatches > 1 ? 1 : 0) + (training.work().keepsSent() ? 1 : 0);
        return copies * bytes(model.parameters(stage)) + messages(stage);
    }

    /**
     * Bytes of a stage's messages. It holds inputs: of all micro-batches in the first stage,
     * otherwise of those whose activations the previous stage holds. It also holds outgoing
     * outputs, and a gradient for each direction.
     */
    private long messages(int stage) {
        long inputs = network.bytes(network.after(model.firstLayer(stage) - 1)) * samples;
        long outputs = network.bytes(network.after(model.lastLayers().get(stage))) * samples;
        boolean first = stage == 0;
        boolean last = stage == model.stages() - 1;
        int come =
                first ? microBatches : model.order().held(stage - 1, model.stages(), microBatches);
        return come * inputs + (first ? 0 : inputs) + (last ? 0 : 2 * outputs);
    }

    /**
     * Bytes of the evaluation: the samples and the layers' outputs, and the current and next
     * version of the model, unless they are large and kept in files.
     */
    private long evaluation() {
        return model.evaluationBytes() + (model.large() ? 0 : 2 * bytes(model.layout().size()));
    }

    /**
     * Bytes of the parameter shards: parameters, the state of the server's optimizer, and
     * contributions. The contributions are a row of each worker, or their sum if rows are added up.
     * A block that the stage of the only worker sends in the same slot is not counted twice.
     */
    private long shards(int slot) {
        int asked = training.plan().perRound(training);
        boolean summed = training.admission().sums(training.rule(), asked);
        int workers = training.permanentWorkers();
        int rows = summed ? 1 : workers;
        int copies = 1 + training.step().optimizer().moments();
        BitSet here = workers == 1 ? sent(slot) : new BitSet();
        return IntStream.range(0, slices.count())
                .filter(block -> slot(block, slices.count()) == slot)
                .mapToLong(
                        block ->
                                (copies + (here.get(block) ? 0 : rows))
                                        * bytes(slices.length(block)))
                .sum();
    }

    /** The blocks that are sent by the only worker's stages in this slot. */
    private BitSet sent(int slot) {
        StageShares shares = StageShares.of(training, model);
        BitSet blocks = new BitSet();
        IntStream.range(0, model.stages())
                .filter(stage -> slot(stage, model.stages()) == slot)
                .forEach(stage -> blocks.or(shares.sent(stage)));
        return blocks;
    }

    private int slot(int index, int count) {
        return (int) ((2L * index + 1) * slots / (2L * count));
    }

    private static long bytes(long parameters) {
        return parameters * Float.BYTES;
    }
}
