package dev.levee.gar.internal;

import dev.levee.gar.BlockRows;

/**
 * Rows that are read a range of coordinates at a time, as arrays for kernels. Not shared between
 * threads.
 */
interface RowReader {
    /**
     * The most coordinates to read at a time: enough for the work of a call to outweigh its cost.
     */
    int WIDTH = 16384;

    /** Number of rows. */
    int count();

    /** Reads a range of coordinates of all rows that are needed. */
    void read(int from, int length);

    /** The array that has a row's coordinates of the range. */
    float[] row(int row);

    /** Where the range starts in a row's array. */
    int start(int row);

    /**
     * Writes the weighted sum of rows over a divisor without reading them into arrays, if the rows
     * lie where that is faster, and a sum of several rows alone.
     *
     * @param weights of the rows, then of the references
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

    /** Coordinates that it is best to read at a time. */
    int width();

    /** Rows in the heap, which are read where they lie. */
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
