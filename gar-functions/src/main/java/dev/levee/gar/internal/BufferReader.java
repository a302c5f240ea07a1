package dev.levee.gar.internal;

import dev.levee.gar.BufferRows;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;

import java.util.List;

/**
 * Rows outside the heap. Kernels work on arrays, so each range is copied to arrays that the next
 * range uses again; ranges are short enough for these to stay in the cache.
 */
final class BufferReader implements RowReader {
    private final BufferRows rows;

    /** Null for rows that nobody reads: those that the map does not use, unless all have a median. */
    private final float[][] copies;

    BufferReader(BufferRows rows, RowMap map, List<Reference> references) {
        this.rows = rows;
        copies = new float[rows.count()][];
        for (int row = 0; row < copies.length; row++) {
            if (map.uses(row) || references.contains(Reference.MEDIAN)) {
                copies[row] = new float[0];
            }
        }
    }

    @Override
    public int count() {
        return copies.length;
    }

    @Override
    public void read(int from, int length) {
        for (int row = 0; row < copies.length; row++) {
            if (copies[row] != null) {
                if (copies[row].length < length) {
                    copies[row] = new float[length];
                }
                rows.read(row, from, length, copies[row]);
            }
        }
    }

    @Override
    public float[] row(int row) {
        return copies[row];
    }

    @Override
    public int start() {
        return 0;
    }
}
