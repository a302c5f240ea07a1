package dev.levee.gar.internal;

import java.util.Arrays;

/**
 * Sums over one chunk: squared distances from differences, inner products from products. The lanes
 * of the chunk are added in double in a fixed tree. Where float arithmetic overflowed, or came so
 * close to its smallest numbers that squares lost digits, the chunk is summed again in double,
 * where neither can happen. Holds scratch memory: one per call, not shared between threads.
 */
final class ChunkSums {
    /**
     * Below this, products that underflowed may be missing from a sum: each loses at most 2⁻¹⁵⁰, so
     * a chunk of 2¹² of them at most 2⁻¹³⁸, which is below half a float's last digit from 2⁻¹¹⁴ on.
     */
    private static final double TINY = 0x1p-110;

    private final Kernels kernels;
    private final Points points;
    private final float[] lanes;

    /** Sums between the points of {@code points}. */
    ChunkSums(Kernels kernels, Points points) {
        this.kernels = kernels;
        this.points = points;
        lanes = new float[Kernels.lanesFor(points.arrays.length)];
    }

    /**
     * Adds squared distances between point {@code a} and {@code count} points from {@code first} to
     * {@code totals} from {@code at}.
     */
    void addDistances(int a, int first, int count, int length, double[] totals, int at) {
        float[][] rows = points.arrays;
        int[] starts = points.starts;
        kernels.distances(rows[a], starts[a], rows, starts, first, count, length, lanes);
        for (int r = 0; r < count; r++) {
            double sum = tree(lanes, r * Kernels.LANES);
            int b = first + r;
            if (!exact(sum) && !(sum == 0 && same(a, b, length))) {
                sum = distanceInDouble(rows[a], starts[a], rows[b], starts[b], length);
            }
            totals[at + r] += sum;
        }
    }

    /** Adds inner products, like {@link #addDistances}. */
    void addProducts(int a, int first, int count, int length, double[] totals, int at) {
        float[][] rows = points.arrays;
        int[] starts = points.starts;
        kernels.products(rows[a], starts[a], rows, starts, first, count, length, lanes);
        for (int r = 0; r < count; r++) {
            double sum = tree(lanes, r * Kernels.LANES);
            int b = first + r;
            totals[at + r] +=
                    exact(sum)
                            ? sum
                            : productInDouble(rows[a], starts[a], rows[b], starts[b], length);
        }
    }

    /** True if two points agree bit by bit: the usual reason for a distance of zero. */
    private boolean same(int a, int b, int length) {
        int i = points.starts[a];
        int j = points.starts[b];
        return Arrays.equals(points.arrays[a], i, i + length, points.arrays[b], j, j + length);
    }

    private static boolean exact(double sum) {
        double size = Math.abs(sum);
        return size >= TINY && size <= Double.MAX_VALUE;
    }

    private static double tree(float[] lanes, int from) {
        double a = quarter(lanes, from);
        double b = quarter(lanes, from + 1);
        double c = quarter(lanes, from + 2);
        double d = quarter(lanes, from + 3);
        return (a + c) + (b + d);
    }

    private static double quarter(float[] lanes, int i) {
        return ((double) lanes[i] + lanes[i + 8]) + ((double) lanes[i + 4] + lanes[i + 12]);
    }

    private static double distanceInDouble(float[] a, int aFrom, float[] b, int bFrom, int length) {
        double sum = 0;
        for (int i = 0; i < length; i++) {
            double difference = (double) a[aFrom + i] - b[bFrom + i];
            sum += difference * difference;
        }
        return sum;
    }

    private static double productInDouble(float[] a, int aFrom, float[] b, int bFrom, int length) {
        double sum = 0;
        for (int i = 0; i < length; i++) {
            sum += (double) a[aFrom + i] * b[bFrom + i];
        }
        return sum;
    }
}
