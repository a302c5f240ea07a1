package dev.levee.gar.internal;

import dev.levee.gar.block.BlockRows;

/**
 * Gives kernels one range of coordinates of all rows at a time, as arrays. Threads must not share a
 * reader.
 */
interface RowReader {
    /**
     * The maximum number of coordinates to read at a time. It is large enough for the work of a
     * call to outweigh its overhead.
     */
    int WIDTH = 16384;

    /** Number of rows. */
    int count();

    /** Reads a range of coordinates of all rows that are needed. */
    void read(int from, int length);

    /** The array that holds a row's coordinates of the range. */
    float[] row(int row);

    /** The index at which the range starts in a row's array. */
    int start(int row);

    /**
     * Writes the weighted sum of rows divided by a divisor, without reading the rows into arrays. A
     * reader does this only if it is faster, and only for a sum of several rows without references.
     *
     * @param weights weights of the rows, then of the references
     * @return false if nothing has been done
     */
    default boolean combine(
            Kernels kernels,
            double[] weights,
            double divisor,
            int from,
            int length,
            float[] out,
            int to) {
        return false;
    }

    /** The best number of coordinates to read at a time. */
    int width();

    /** Reads rows in the heap, in place. */
    static RowReader of(BlockRows rows) {
        return new RowReader() {
            private int start;

            @Override
            public int count() {
                return rows.count();
            }

            @Override
            public void read(int from, int length) {
                start = rows.from() + from;
            }

            @Override
            public float[] row(int row) {
                return rows.arrays()[row];
            }

            @Override
            public int start(int row) {
                return start;
            }

            @Override
            public int width() {
                return WIDTH;
            }
        };
    }
}
