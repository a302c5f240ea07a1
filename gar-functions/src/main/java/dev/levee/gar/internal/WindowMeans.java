package dev.levee.gar.internal;

import java.util.Arrays;

/**
 * Computes means of the values closest to a center, from sorted values. The closest values are
 * found by dropping the farther end (ties: the larger value) until enough values are left, so they
 * form a window of the sorted values. The window starts at the first rank that is no farther from
 * the center than the next value above the window. All coordinates therefore take the same steps
 * and are processed together, rank by rank.
 */
final class WindowMeans {
    private final Kernels kernels;
    private final int rows;
    private final float[][] values;
    private final int[] starts;
    private final double[] sums;
    private final double[] center;
    private final double[] nearest;
    private final double[] start;

    WindowMeans(Kernels kernels, int rows, int width) {
        this.kernels = kernels;
        this.rows = rows;
        values = new float[rows][width];
        starts = new int[rows];
        sums = new double[width];
        center = new double[width];
        nearest = new double[width];
        start = new double[width];
    }

    /**
     * Writes the mean of the {@code keep} values closest to the mean of ranks {@code low} to {@code
     * high}.
     *
     * @param keys sorted, rank by rank
     */
    void mean(int[][] keys, int low, int high, int keep, int length, float[] out, int to) {
        for (int r = 0; r < rows; r++) {
            kernels.fromKeys(keys[r], length, values[r], 0);
        }
        Rows sorted = new Rows(values, starts, length);
        kernels.add(sorted, low, high - low + 1, center, true);
        for (int i = 0; i < length; i++) {
            center[i] /= high - low + 1;
        }
        Arrays.fill(nearest, 0, length, Double.POSITIVE_INFINITY);
        Arrays.fill(start, 0, length, rows - keep);
        for (int r = rows - keep - 1; r >= 0; r--) {
            kernels.chooseStart(values[r], values[r + keep], center, r, length, nearest, start);
        }
        Arrays.fill(sums, 0, length, 0);
        // Every window contains the ranks from the last possible start to the end of the first
        // window.
        int common = Math.max(rows - keep, 0);
        int end = Math.max(common, keep);
        for (int r = 0; r < common; r++) {
            kernels.addWindow(values[r], start, r, keep, length, sums);
        }
        if (common < end) {
            kernels.add(sorted, common, end - common, sums, false);
        }
        for (int r = end; r < rows; r++) {
            kernels.addWindow(values[r], start, r, keep, length, sums);
        }
        kernels.divide(sums, keep, length, out, to);
    }
}
