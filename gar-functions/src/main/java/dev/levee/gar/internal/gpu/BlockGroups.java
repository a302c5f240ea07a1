package dev.levee.gar.internal.gpu;

import dev.levee.gar.Blocks;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.List;

/**
 * Streams rows through the device in groups of whole blocks, so that any number of them fits: while
 * one stream computes, the other one's rows are copied. Device memory of a group begins with the
 * matrix, behind it lies what the kernels work in, behind that what comes back.
 */
final class BlockGroups {
    /** Bytes of rows that a group aims at: large enough to hide the cost of a launch. */
    static final long TARGET = 64L << 20;

    private static final int ALIGNED = 64;

    private final Accelerator device;
    private final long target;
    private final Slot[] slots;

    /** Aims at groups of {@code target} bytes of rows. */
    BlockGroups(Accelerator device, long target) {
        this.device = device;
        this.target = target;
        slots = new Slot[Accelerator.STREAMS];
        for (int s = 0; s < slots.length; s++) {
            slots[s] = new Slot(device, s);
        }
    }

    /** What is done with each group. */
    interface Work {
        /** Bytes of device memory needed per block beside the matrix. */
        long scratchPerBlock();

        /** Bytes that come back per block. */
        long resultPerBlock();

        /** Enqueues the kernels. */
        void launch(Place place);

        /** Takes what came back for {@code width} coordinates from {@code from} on. */
        void collect(ByteBuffer result, int from, int width);
    }

    /**
     * Where a group lies on the device.
     *
     * @param matrix address of the matrix's first row
     * @param stride floats from a row to the next
     * @param scratch address of the memory to work in
     * @param result address of what comes back
     */
    record Place(int stream, long matrix, int stride, int width, long scratch, long result) {
        /** Address of a row of the matrix. */
        long row(int index) {
            return matrix + (long) index * stride * Float.BYTES;
        }
    }

    /** Runs over all coordinates; results are collected in order. */
    void run(List<float[]> uploaded, int matrixRows, int length, Work work) {
        int blocks = blocks(uploaded.size(), matrixRows, length, work);
        int size = Math.min(blocks * Blocks.SIZE, (length + ALIGNED - 1) / ALIGNED * ALIGNED);
        long scratch = (long) matrixRows * size * Float.BYTES;
        long result = scratch + blocks * align(work.scratchPerBlock());
        long back = blocks * work.resultPerBlock();
        long in = Math.max(ALIGNED, (long) uploaded.size() * size * Float.BYTES);
        for (Slot slot : slots) {
            slot.reserve(in, back, result + back);
            slot.width = 0;
        }
        int turn = 0;
        for (int from = 0; from < length; from += size) {
            Slot slot = slots[turn++ % slots.length];
            collect(slot, work);
            slot.from = from;
            slot.width = Math.min(size, length - from);
            start(slot, uploaded, scratch, result, work);
        }
        for (int s = 0; s < slots.length; s++) {
            collect(slots[turn++ % slots.length], work);
        }
    }

    private void start(Slot slot, List<float[]> uploaded, long scratch, long result, Work work) {
        int stride = (slot.width + ALIGNED - 1) / ALIGNED * ALIGNED;
        FloatBuffer in = slot.in().bytes().asFloatBuffer();
        for (int r = 0; r < uploaded.size(); r++) {
            in.position(r * stride);
            in.put(uploaded.get(r), slot.from, slot.width);
        }
        device.upload(
                slot.stream,
                slot.in(),
                slot.memory(),
                (long) uploaded.size() * stride * Float.BYTES);
        long base = slot.memory().address();
        work.launch(
                new Place(slot.stream, base, stride, slot.width, base + scratch, base + result));
        long bytes = (slot.width + Blocks.SIZE - 1) / Blocks.SIZE * work.resultPerBlock();
        device.download(slot.stream, slot.memory(), result, slot.out(), bytes);
    }

    private void collect(Slot slot, Work work) {
        if (slot.width > 0) {
            device.synchronize(slot.stream);
            work.collect(slot.out().bytes(), slot.from, slot.width);
            slot.width = 0;
        }
    }

    /** Blocks per group: as many as aimed at and as the device has room for, at least one. */
    private int blocks(int uploaded, int matrixRows, int length, Work work) {
        long block = (long) Blocks.SIZE * Float.BYTES;
        long wanted = target / (Math.max(1, uploaded) * block);
        long each = matrixRows * block + align(work.scratchPerBlock()) + work.resultPerBlock();
        long room = device.free();
        for (Slot slot : slots) {
            room += slot.held();
        }
        // Each of the two slots takes a quarter of what is free, so that half is left to others.
        long fitting = room / 4 / each;
        return (int) Math.max(1, Math.min(Blocks.count(length), Math.min(wanted, fitting)));
    }

    private static long align(long bytes) {
        return (bytes + 255) / 256 * 256;
    }
}
