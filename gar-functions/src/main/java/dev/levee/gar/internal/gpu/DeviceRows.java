package dev.levee.gar.internal.gpu;

import dev.levee.gar.internal.gpu.Accelerator.DeviceMemory;

import java.util.BitSet;

/**
 * Device memory that holds the rows of all groups between the looks and the reduction of one
 * aggregation, with room for the rows that kernels write.
 */
final class DeviceRows implements AutoCloseable {
    private final Accelerator device;
    private final DeviceMemory memory;
    private final int matrixRows;
    private final int groupWidth;
    private final BitSet there = new BitSet();

    /**
     * Allocates the memory.
     *
     * @param matrixRows rows of a group's matrix, including those that kernels write
     * @param groupWidth coordinates of a group; the last one may be narrower
     */
    DeviceRows(Accelerator device, int matrixRows, int groupWidth, int groups) {
        this.device = device;
        this.matrixRows = matrixRows;
        this.groupWidth = groupWidth;
        memory = device.allocate(groups * bytes(matrixRows, groupWidth));
    }

    private static long bytes(int matrixRows, int width) {
        return (long) matrixRows * width * Float.BYTES;
    }

    /** Bytes taken. */
    static long room(int matrixRows, int groupWidth, int groups) {
        return groups * bytes(matrixRows, groupWidth);
    }

    int matrixRows() {
        return matrixRows;
    }

    int groupWidth() {
        return groupWidth;
    }

    DeviceMemory memory() {
        return memory;
    }

    /** Start of the group's matrix in the memory. */
    long offset(int group) {
        return group * bytes(matrixRows, groupWidth);
    }

    /** True on the first call for a group, whose rows must then be copied. */
    boolean bring(int group) {
        boolean missing = !there.get(group);
        there.set(group);
        return missing;
    }

    @Override
    public void close() {
        device.release(memory);
    }
}
