package dev.levee.jobs.internal.run;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.jobs.internal.placement.PipelineHeap;
import dev.levee.jobs.internal.placement.StageMemory;
import dev.levee.k8s.flink.rest.FlinkRest;
import dev.levee.operators.rounds.pipeline.PipelinedModel;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.Training;

import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The memory in bytes that a run needs in one TaskManager, and that its tensors need in all of
 * them. As with {@link MemoryNeed}, a run is refused if the TaskManagers report less. For a
 * pipeline whose stages send their own blocks, the need includes an estimate of Flink's own memory;
 * for a whole worker, it is a lower bound.
 *
 * @param heap heap of the TaskManager with the largest part of a worker
 * @param stages true if workers are pipelines
 * @param tensors the largest part whose tensors must be in one TaskManager
 * @param all memory of all tensors at the same time
 */
record TaskManagerNeed(Heap heap, boolean stages, StageMemory.Part tensors, long all) {
    /**
     * The memory of TaskManagers, 0 if unknown, and their slots.
     *
     * @param free number of free slots
     * @param each maximum number of slots of a TaskManager
     */
    record Available(long largestHeap, long largestTensors, long allTensors, int free, int each) {
        static final Available UNKNOWN = new Available(0, 0, 0, 0, 1);
    }

    /**
     * The largest heap that one TaskManager needs.
     *
     * @param part the part of a worker in this TaskManager
     * @param remedy advice other than more heap
     */
    record Heap(String part, long bytes, String remedy) {}

    private static final StageMemory.Part NOTHING = new StageMemory.Part("nothing", 0);

    /**
     * Computes the need of a training.
     *
     * @param slots number of slots that it is spread over; 0 if unknown, which counts as one for
     *     each stage
     * @param each slots of a TaskManager
     */
    static TaskManagerNeed of(Training training, int slots, int each) {
        Heap heap = heap(training, slots, each);
        int batch = training.data().batchSize();
        if (training.model() instanceof PipelinedModel pipeline) {
            List<StageMemory.Part> parts = StageMemory.parts(pipeline, batch);
            return new TaskManagerNeed(
                    heap,
                    true,
                    StageMemory.largest(parts),
                    computing(training) * parts.stream().mapToLong(StageMemory.Part::bytes).sum());
        }
        Optional<StageMemory.Part> whole = StageMemory.whole(training.model(), batch);
        StageMemory.Part tensors = whole.orElse(NOTHING);
        return new TaskManagerNeed(heap, false, tensors, tensors.bytes());
    }

    /** Computes the heap. Stages that send blocks to the servers hold no whole vectors. */
    private static Heap heap(Training training, int slots, int each) {
        if (training.model() instanceof PipelinedModel pipeline && training.blockwise()) {
            int over = slots > 0 ? slots : pipeline.stages() * training.workers();
            return new Heap(
                    each == 1 ? "one slot" : each + " slots",
                    new PipelineHeap(training, pipeline, over).most(each),
                    "use more stages and slots, or --stage-memory for stages of equal size");
        }
        boolean smoothed = training.work() instanceof GradientWork work && work.momentum() > 0;
        long model = (long) training.model().layout().size() * Float.BYTES;
        return new Heap(
                "a worker",
                (smoothed ? 3 : 2) * model,
                training.model() instanceof PipelinedModel
                        ? "leave out the options that keep stages from sending their own parts"
                        : "use --momentum-side server, and --pipeline for a network of layers");
    }

    /**
     * Minimum number of workers that compute at the same time. Attackers may invent their
     * gradients, so they are not counted.
     */
    private static long computing(Training training) {
        return training.permanentWorkers() - training.attackers().count();
    }

    /** Reads the memory of a cluster's TaskManagers. */
    static Available available(URI target) {
        JsonNode all;
        try {
            all = new FlinkRest(target).get("/taskmanagers").path("taskmanagers");
        } catch (IOException e) {
            return Available.UNKNOWN; // the submission will report this
        }
        long[] heaps = new long[all.size()];
        long[] tensors = new long[all.size()];
        int free = 0;
        int slots = 1;
        for (int i = 0; i < all.size(); i++) {
            heaps[i] = all.get(i).path("hardware").path("freeMemory").asLong();
            tensors[i] = all.get(i).path("memoryConfiguration").path("taskOffHeap").asLong();
            free += all.get(i).path("freeSlots").asInt();
            slots = Math.max(slots, all.get(i).path("slotsNumber").asInt());
        }
        // By default Flink reserves no memory for tensors; they then use whatever the machine has.
        boolean known = Arrays.stream(tensors).allMatch(each -> each > 0);
        return new Available(
                Arrays.stream(heaps).max().orElse(0),
                known ? Arrays.stream(tensors).max().orElse(0) : 0,
                known ? Arrays.stream(tensors).sum() : 0,
                free,
                slots);
    }

    /**
     * Checks that this much memory is available.
     *
     * @throws IllegalArgumentException if less is available; one sentence
     */
    void check(Available available) {
        if (available.largestHeap() > 0 && heap.bytes() > available.largestHeap()) {
            throw new IllegalArgumentException(
                    "a TaskManager with %s needs %s of heap for parameters, gradients and momentum, and the largest has %s: increase it with levee cluster start --heap, or %s"
                            .formatted(
                                    heap.part(),
                                    MemoryNeed.size(heap.bytes()),
                                    MemoryNeed.size(available.largestHeap()),
                                    heap.remedy()));
        }
        if (available.largestTensors() > 0 && tensors.bytes() > available.largestTensors()) {
            throw new IllegalArgumentException(
                    "the tensors of %s need %s outside the heap of a TaskManager, and the largest has %s (taskmanager.memory.task.off-heap.size): %s"
                            .formatted(
                                    tensors.name(),
                                    MemoryNeed.size(tensors.bytes()),
                                    MemoryNeed.size(available.largestTensors()),
                                    stages
                                            ? "use more stages, more --micro-batches or --recompute"
                                            : "train it on several TaskManagers with --pipeline,"
                                                    + " or with a smaller --micro-batch"));
        }
        if (stages && available.allTensors() > 0 && all > available.allTensors()) {
            throw new IllegalArgumentException(
                    "the tensors of all stages need %s outside the heap, and the TaskManagers together have %s (taskmanager.memory.task.off-heap.size): start more TaskManagers with levee cluster add, or use more --micro-batches or --recompute"
                            .formatted(
                                    MemoryNeed.size(all), MemoryNeed.size(available.allTensors())));
        }
    }
}
