package dev.levee.gar.internal.gpu;

import dev.levee.gar.block.Blocks;
import dev.levee.gar.internal.Threads;
import dev.levee.gar.internal.gpu.Accelerator.DeviceMemory;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.List;

/**
 * Streams rows through the device in groups of whole blocks, so that vectors of any length fit.
 * While one stream computes, the rows of the other stream are copied. A group's device memory holds
 * the matrix, then the kernels' scratch memory, then the results.
 */
final class BlockGroups {
    /** Target size of a group's rows in bytes: large enough to hide the cost of a launch. */
    static final long TARGET = 64L << 20;

    private static final int ALIGNED = 64;

    /** Bytes of a row in a block. */
    private static final long BLOCK = (long) Blocks.SIZE * Float.BYTES;

    /** Number of coordinates that a thread copies at a time. */
    private static final int PART = 1 << 16;

    /**
     * Maximum number of copying threads. One thread uses only a fraction of the bus; more threads
     * than this add nothing.
     */
    private static final int MOST_THREADS = 16;

    private final Threads threads =
            new Threads(Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors()));
    private final Accelerator device;
    private final long target;
    private final StreamBuffers[] slots;

    /** Aims at groups of {@code target} bytes of rows. */
    BlockGroups(Accelerator device, long target) {
        this.device = device;
        this.target = target;
        slots = new StreamBuffers[Accelerator.STREAMS];
        for (int s = 0; s < slots.length; s++) {
            slots[s] = new StreamBuffers(device, s);
        }
    }

    /** The work on each group. */
    interface Work {
        /** Bytes of device memory needed per block beside the matrix. */
        long scratchPerBlock();

        /** Bytes that come back per block. */
        long resultPerBlock();

        /** Enqueues the kernels. */
        void launch(Place place);

        /** Processes the results of {@code width} coordinates from {@code from} on. */
        void collect(ByteBuffer result, int from, int width);
    }

    /**
     * Position of a group on the device.
     *
     * @param matrix address of the matrix's first row
     * @param stride floats from one row to the next
     * @param scratch address of the scratch memory
     * @param result address of the results
     */
    record Place(int stream, long matrix, int stride, int width, long scratch, long result) {
        /** Address of a row of the matrix. */
        long row(int index) {
            return matrix + (long) index * stride * Float.BYTES;
        }
    }

    /**
     * Processes all coordinates and collects the results in order.
     *
     * @param held memory that holds the rows, null if they pass through the slots' memory
     * @return false, without having done anything, if the device has too little memory
     */
    boolean run(DeviceRows held, List<float[]> uploaded, int matrixRows, int length, Work work) {
        int size =
                held == null
                        ? width(blocks(uploaded.size(), matrixRows, length, work), length)
                        : held.groupWidth();
        int blocks = Blocks.count(size);
        long scratch = held == null ? (long) matrixRows * size * Float.BYTES : 0;
        long result = scratch + blocks * align(work.scratchPerBlock());
        long back = blocks * work.resultPerBlock();
        long in = Math.max(ALIGNED, (long) uploaded.size() * size * Float.BYTES);
        int used = Math.min(slots.length, (length + size - 1) / size);
        if (used * (result + back) > room(used)) {
            return false;
        }
        for (int s = 0; s < used; s++) {
            slots[s].reserve(in, back, result + back);
            slots[s].width = 0;
        }
        int group = 0;
        for (int from = 0; from < length; from += size) {
            StreamBuffers slot = slots[group % used];
            collect(slot, work);
            slot.from = from;
            slot.width = Math.min(size, length - from);
            long base = bring(slot, held, group, uploaded);
            launch(slot, base, scratch, result, work);
            group++;
        }
        for (int s = 0; s < used; s++) {
            collect(slots[group++ % used], work);
        }
        return true;
    }

    /** Bytes of device memory that these slots can have. */
    private long room(int used) {
        long room = device.free();
        for (int s = 0; s < used; s++) {
            room += slots[s].held();
        }
        return room;
    }

    /**
     * Allocates memory for all rows and for the rows that kernels write. Returns null if this would
     * take more than half of the free memory.
     */
    DeviceRows hold(int uploaded, int length) {
        int matrixRows = 2 * uploaded + 2;
        long wanted = target / (uploaded * BLOCK);
        int size = width((int) Math.max(1, Math.min(Blocks.count(length), wanted)), length);
        int groups = (length + size - 1) / size;
        return DeviceRows.room(matrixRows, size, groups) > device.free() / 2
                ? null
                : new DeviceRows(device, matrixRows, size, groups);
    }

    /** Copies a group's rows to the device if they are not there; returns their address. */
    private long bring(StreamBuffers slot, DeviceRows held, int group, List<float[]> rows) {
        DeviceMemory memory = held == null ? slot.memory() : held.memory();
        long offset = held == null ? 0 : held.offset(group);
        if (held == null || held.bring(group)) {
            int stride = stride(slot);
            FloatBuffer in = slot.in().bytes().asFloatBuffer();
            int parts = (slot.width + PART - 1) / PART;
            threads.run(
                    rows.size() * parts,
                    task -> {
                        int row = task / parts;
                        int at = task % parts * PART;
                        int count = Math.min(PART, slot.width - at);
                        in.put(row * stride + at, rows.get(row), slot.from + at, count);
                    });
            long bytes = (long) rows.size() * stride * Float.BYTES;
            device.upload(slot.stream, slot.in(), memory, offset, bytes);
        }
        return memory.address() + offset;
    }

    private void launch(StreamBuffers slot, long matrix, long scratch, long result, Work work) {
        long base = slot.memory().address();
        work.launch(
                new Place(
                        slot.stream,
                        matrix,
                        stride(slot),
                        slot.width,
                        base + scratch,
                        base + result));
        long bytes = Blocks.count(slot.width) * work.resultPerBlock();
        device.download(slot.stream, slot.memory(), result, slot.out(), bytes);
    }

    private void collect(StreamBuffers slot, Work work) {
        if (slot.width > 0) {
            device.synchronize(slot.stream);
            work.collect(slot.out().bytes(), slot.from, slot.width);
            slot.width = 0;
        }
    }

    /**
     * Number of blocks per group: as many as the target size allows and fit on the device, at least
     * one.
     */
    private int blocks(int uploaded, int matrixRows, int length, Work work) {
        long wanted = target / (Math.max(1, uploaded) * BLOCK);
        long each = matrixRows * BLOCK + align(work.scratchPerBlock()) + work.resultPerBlock();
        // Each of the two slots takes a quarter of the free memory, so half remains for others.
        long fitting = room(slots.length) / 4 / each;
        return (int) Math.max(1, Math.min(Blocks.count(length), Math.min(wanted, fitting)));
    }

    /** Number of coordinates of this many blocks, or of the vector if it is shorter. */
    private static int width(int blocks, int length) {
        return Math.min(blocks * Blocks.SIZE, (length + ALIGNED - 1) / ALIGNED * ALIGNED);
    }

    private static int stride(StreamBuffers slot) {
        return (slot.width + ALIGNED - 1) / ALIGNED * ALIGNED;
    }

    private static long align(long bytes) {
        return (bytes + 255) / 256 * 256;
    }
}
