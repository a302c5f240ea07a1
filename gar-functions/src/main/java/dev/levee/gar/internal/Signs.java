package dev.levee.gar.internal;

/** Counts signs, chunk by chunk. */
final class Signs {
    private Signs() {}

    /**
     * Adds the numbers of positive, zero and negative values of each of the first {@code count}
     * rows; a NaN is none of them.
     */
    static void count(Rows x, int count, double[] counts) {
        for (int r = 0; r < count; r++) {
            float[] row = x.arrays()[r];
            int start = x.starts()[r];
            int positive = 0;
            int zero = 0;
            int negative = 0;
            for (int i = start; i < start + x.length(); i++) {
                positive += row[i] > 0 ? 1 : 0;
                zero += row[i] == 0 ? 1 : 0;
                negative += row[i] < 0 ? 1 : 0;
            }
            counts[3 * r] += positive;
            counts[3 * r + 1] += zero;
            counts[3 * r + 2] += negative;
        }
    }
}
