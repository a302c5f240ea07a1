package dev.levee.gar.internal;

/** Counts signs, chunk by chunk. */
final class Signs {
    private Signs() {}

    /**
     * Adds the numbers of positive, zero and negative values of the first {@code rows} points, from
     * {@code at}; a NaN is none of them.
     */
    static void count(Points points, int rows, int length, double[] counts, int at) {
        for (int r = 0; r < rows; r++) {
            float[] x = points.arrays[r];
            int start = points.starts[r];
            int positive = 0;
            int zero = 0;
            int negative = 0;
            for (int i = start; i < start + length; i++) {
                positive += x[i] > 0 ? 1 : 0;
                zero += x[i] == 0 ? 1 : 0;
                negative += x[i] < 0 ? 1 : 0;
            }
            counts[at + 3 * r] += positive;
            counts[at + 3 * r + 1] += zero;
            counts[at + 3 * r + 2] += negative;
        }
    }
}
