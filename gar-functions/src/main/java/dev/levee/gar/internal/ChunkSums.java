package dev.levee.gar.internal;

import dev.levee.gar.Looked;

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
    private final float[] tile =
            new float[Kernels.TILE_ROWS * Kernels.TILE_COLUMNS * Kernels.LANES];

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
            totals[at + r] += exactDistance(sum, a, first + r, length);
        }
    }

    /** Adds inner products, like {@link #addDistances}. */
    void addProducts(int a, int first, int count, int length, double[] totals, int at) {
        float[][] rows = points.arrays;
        int[] starts = points.starts;
        kernels.products(rows[a], starts[a], rows, starts, first, count, length, lanes);
        for (int r = 0; r < count; r++) {
            double sum = tree(lanes, r * Kernels.LANES);
            totals[at + r] += exactProduct(sum, a, first + r, length);
        }
    }

    /**
     * Adds squared distances of a tile of pairs to their totals.
     *
     * @param a the first of {@link Kernels#TILE_ROWS} points
     * @param b the first of up to {@link Kernels#TILE_COLUMNS} points; only pairs (i, j) with i
     *     &lt; j count
     * @param totals one for each pair of points
     */
    void addDistances(int a, int b, int length, double[] totals) {
        float[][] rows = points.arrays;
        int count = rows.length;
        kernels.distances(rows, points.starts, a, b, count - 1, length, tile);
        for (int i = a; i < a + Kernels.TILE_ROWS; i++) {
            for (int j = Math.max(b, i + 1); j < Math.min(b + Kernels.TILE_COLUMNS, count); j++) {
                double sum = tree(tile, at(i - a, j - b));
                totals[Looked.pair(i, j, count)] += exactDistance(sum, i, j, length);
            }
        }
    }

    /** Adds inner products of a tile of pairs to their totals, like the tile of distances. */
    void addProducts(int a, int b, int length, double[] totals) {
        float[][] rows = points.arrays;
        int count = rows.length;
        kernels.products(rows, points.starts, a, b, count - 1, length, tile);
        for (int i = a; i < a + Kernels.TILE_ROWS; i++) {
            for (int j = Math.max(b, i + 1); j < Math.min(b + Kernels.TILE_COLUMNS, count); j++) {
                double sum = tree(tile, at(i - a, j - b));
                totals[Looked.pair(i, j, count)] += exactProduct(sum, i, j, length);
            }
        }
    }

    private static int at(int i, int j) {
        return (i * Kernels.TILE_COLUMNS + j) * Kernels.LANES;
    }

    /** A pair's sum, or where it lost something, the sum in double. */
    private double exactDistance(double sum, int a, int b, int length) {
        if (exact(sum) || (sum == 0 && same(a, b, length))) {
            return sum;
        }
        float[][] rows = points.arrays;
        int[] starts = points.starts;
        return distanceInDouble(rows[a], starts[a], rows[b], starts[b], length);
    }

    private double exactProduct(double sum, int a, int b, int length) {
        float[][] rows = points.arrays;
        int[] starts = points.starts;
        return exact(sum) ? sum : productInDouble(rows[a], starts[a], rows[b], starts[b], length);
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
