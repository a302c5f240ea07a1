package dev.levee.gar.internal;

import dev.levee.gar.BufferRows;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Rows outside the heap. Kernels work on arrays, so each range is copied to an array that the next
 * range uses again, and the next call: memory that is in no cache yet costs as much as the rows.
 */
final class BufferReader implements RowReader {
    /** Floats that each thread keeps room for, 1 MiB. */
    private static final int KEPT = 1 << 18;

    /** Floats of all rows that are read at a time where any number will do. */
    private static final int TOGETHER = 1 << 16;

    /** Shorter ranges of a row cost more to copy than they gain. */
    private static final int LEAST = 512;

    private static final ThreadLocal<float[]> ROOM = ThreadLocal.withInitial(() -> new float[KEPT]);

    private final BufferRows rows;

    /** The rows that somebody reads: those that the map uses, or all if their median is needed. */
    private final int[] read;

    /** The place of each row among those that are read. */
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
            return false; // a copy or a difference, which have kernels of their own
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
