package dev.levee.gar.internal;

import dev.levee.gar.BlockRows;

/**
 * Rows that are read a range of coordinates at a time, as arrays for kernels. Not shared between
 * threads.
 */
interface RowReader {
    /** Number of rows. */
    int count();

    /** Reads a range of coordinates of all rows that are needed. */
    void read(int from, int length);

    /** The array that has a row's coordinates of the range, from {@link #start} on. */
    float[] row(int row);

    /** Where the range starts in each array. */
    int start();

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
            public int start() {
                return start;
            }
        };
    }
}
