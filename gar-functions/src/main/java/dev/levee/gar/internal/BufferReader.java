package dev.levee.gar.internal;

import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;
import dev.levee.gar.block.BufferRows;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Reads rows outside the heap. Kernels work on arrays, so each range is copied to an array. Later
 * ranges and calls reuse this array, because access to uncached memory would cost as much as
 * reading the rows.
 */
final class BufferReader implements RowReader {
    /** Floats in the array that each thread keeps, 1 MiB. */
    private static final int KEPT = 1 << 18;

    /** Target number of floats to read at a time, over all rows. */
    private static final int TOGETHER = 1 << 16;

    /** Minimum length of a range: copying shorter ranges costs more than it gains. */
    private static final int LEAST = 512;

    private static final ThreadLocal<float[]> ROOM = ThreadLocal.withInitial(() -> new float[KEPT]);

    private final BufferRows rows;

    /** The rows to read: those that the map uses, or all rows if their median is needed. */
    private final int[] read;

    /** The index of each row in {@link #read}, -1 if it is not read. */
    private final int[] places;

    private float[] room = ROOM.get();
    private int length;

    BufferReader(BufferRows rows, RowMap map, List<Reference> references) {
        this.rows = rows;
        places = new int[rows.count()];
        int count = 0;
        for (int row = 0; row < places.length; row++) {
            boolean needed = map.uses(row) || references.contains(Reference.MEDIAN);
            places[row] = needed ? count++ : -1;
        }
        read = new int[count];
        for (int row = 0; row < places.length; row++) {
            if (places[row] >= 0) {
                read[places[row]] = row;
            }
        }
    }

    @Override
    public int count() {
        return places.length;
    }

    @Override
    public void read(int from, int coordinates) {
        length = coordinates;
        if (room.length < read.length * length) {
            room = new float[read.length * length];
        }
        for (int place = 0; place < read.length; place++) {
            rows.read(read[place], from, length, room, place * length);
        }
    }

    @Override
    public float[] row(int row) {
        return room;
    }

    @Override
    public int start(int row) {
        return places[row] * length;
    }

    @Override
    public boolean combine(
            Kernels kernels,
            double[] weights,
            double divisor,
            int from,
            int length,
            float[] out,
            int to) {
        ByteBuffer[] memory = new ByteBuffer[weights.length];
        double[] used = new double[weights.length];
        int count = 0;
        boolean weighted = false;
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] != 0) {
                if (i >= rows.memory().size()) {
                    return false;
                }
                memory[count] = rows.memory().get(i);
                used[count++] = weights[i];
                weighted |= weights[i] != 1;
            }
        }
        if (count < 3) {
            return false; // copies and differences have their own kernels
        }
        kernels.combine(
                weighted ? used : null,
                Arrays.copyOf(memory, count),
                from,
                length,
                divisor,
                out,
                to);
        return true;
    }

    @Override
    public int width() {
        int most = TOGETHER / Math.max(1, read.length) / Kernels.LANES * Kernels.LANES;
        return Math.max(LEAST, Math.min(WIDTH, most));
    }
}
