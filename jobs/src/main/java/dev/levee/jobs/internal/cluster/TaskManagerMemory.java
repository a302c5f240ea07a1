package dev.levee.jobs.internal.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The division of a local TaskManager's memory, in MiB. A TaskManager that is started without
 * Flink's scripts needs an option for every part.
 *
 * @param frameworkHeap Flink's own part of the heap
 * @param taskHeap the tasks' part
 * @param frameworkOffHeap Flink's own memory outside the heap
 * @param taskOffHeap the memory of tasks outside the heap: tensors
 * @param network buffers of the network stack
 * @param metaspace classes
 * @param overhead the memory of the JVM itself: code, stacks, the collector's tables
 * @param collector flags of the garbage collector
 */
record TaskManagerMemory(
        int frameworkHeap,
        int taskHeap,
        int frameworkOffHeap,
        int taskOffHeap,
        int network,
        int metaspace,
        int overhead,
        List<String> collector) {
    /**
     * Flags for the G1 collector. Its regions are 1 MiB by default in a small heap, and an array of
     * half a region or more gets regions of its own. A block of a model, 512 KiB and a header,
     * would thus take twice its memory. G1 also starts to mark the heap when such an array is
     * allocated and the heap is above a limit, and this limit falls when arrays come faster. The
     * messages of a pipeline are such arrays: G1 marked without end and took a tenth of a core. So
     * the limit is fixed.
     */
    private static final List<String> LARGE_REGIONS =
            List.of(
                    "-XX:G1HeapRegionSize=4m",
                    "-XX:-G1UseAdaptiveIHOP",
                    "-XX:InitiatingHeapOccupancyPercent=60");

    /**
     * Flags for the serial collector. G1 never moves large arrays. A slot of a pipeline has a few,
     * each a tenth of the heap, and soon no gap is large enough for another. The serial collector
     * compacts them. New objects take little memory in comparison.
     */
    private static final List<String> COMPACTING =
            List.of("-XX:+UseSerialGC", "-XX:NewSize=16m", "-XX:MaxNewSize=16m");

    /** Smallest size of a process: a smaller one leaves no memory for models. */
    static final int LEAST_PROCESS = 512;

    /**
     * Creates the division for this much heap for tasks. Tensors may use all memory of the machine,
     * so none is reserved for them; Levee only compares a training's need with the number given
     * here.
     */
    static TaskManagerMemory ofHeap(int heap) {
        return new TaskManagerMemory(128, heap, 128, 4096, 128, 256, 192, LARGE_REGIONS);
    }

    /**
     * Divides the memory of a whole process. Flink and the JVM take their parts; half of the rest
     * is heap for tasks, the other half is for tensors.
     *
     * @throws IllegalArgumentException if the process is too small; one sentence
     */
    static TaskManagerMemory ofProcess(int process) {
        if (process < LEAST_PROCESS) {
            throw new IllegalArgumentException(
                    "a TaskManager needs at least %d MiB of memory, got %d"
                            .formatted(LEAST_PROCESS, process));
        }
        TaskManagerMemory parts = new TaskManagerMemory(64, 0, 32, 0, 48, 128, 96, COMPACTING);
        int left = process - parts.process();
        return new TaskManagerMemory(64, left - left / 2, 32, left / 2, 48, 128, 96, COMPACTING);
    }

    /** Size of the process in MiB. */
    int process() {
        return frameworkHeap
                + taskHeap
                + frameworkOffHeap
                + taskOffHeap
                + network
                + metaspace
                + overhead;
    }

    /** These parts as options of Flink. */
    Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("taskmanager.memory.framework.heap.size", mebibytes(frameworkHeap));
        options.put("taskmanager.memory.framework.off-heap.size", mebibytes(frameworkOffHeap));
        options.put("taskmanager.memory.task.heap.size", mebibytes(taskHeap));
        options.put("taskmanager.memory.task.off-heap.size", mebibytes(taskOffHeap));
        options.put("taskmanager.memory.managed.size", mebibytes(0));
        options.put("taskmanager.memory.network.min", mebibytes(network));
        options.put("taskmanager.memory.network.max", mebibytes(network));
        options.put("taskmanager.memory.jvm-metaspace.size", mebibytes(metaspace));
        options.put("taskmanager.memory.jvm-overhead.min", mebibytes(overhead));
        options.put("taskmanager.memory.jvm-overhead.max", mebibytes(overhead));
        return options;
    }

    /** These parts as flags of the JVM. */
    List<String> flags() {
        List<String> flags = new ArrayList<>(collector);
        flags.add("-Xmx" + (frameworkHeap + taskHeap) + "m");
        flags.add("-XX:MaxDirectMemorySize=" + (frameworkOffHeap + taskOffHeap + network) + "m");
        flags.add("-XX:MaxMetaspaceSize=" + metaspace + "m");
        return flags;
    }

    /**
     * Returns environment variables for a process with little memory. By default, glibc's allocator
     * keeps memory that threads have freed, and keeps more than the tensors take.
     */
    static Map<String, String> frugal() {
        return Map.of(
                "MALLOC_ARENA_MAX", "2",
                "MALLOC_MMAP_THRESHOLD_", "131072",
                "MALLOC_TRIM_THRESHOLD_", "131072");
    }

    private static String mebibytes(int size) {
        return size + "m";
    }
}
