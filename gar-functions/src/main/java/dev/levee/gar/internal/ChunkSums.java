package dev.levee.gar.internal;

import dev.levee.gar.LookResult;

import java.util.Arrays;

/**
 * Sums squared distances and inner products over one chunk. Lanes are added in double, in a fixed
 * tree. If float arithmetic overflowed or underflowed, the chunk is summed again in double. An
 * instance holds scratch memory, so each call needs its own, and threads must not share it.
 */
final class ChunkSums {
    /**
     * A smaller sum may lack products that underflowed. Each product loses at most 2⁻¹⁵⁰, so a
     * chunk of 2¹² products loses at most 2⁻¹³⁸. This is less than half a float's last digit for
     * sums of at least 2⁻¹¹⁴.
     */
    private static final double TINY = 0x1p-110;

    /**
     * Number of rows combined with each group of columns, so that they stay in the second-level
     * cache.
     */
    private static final int TOGETHER = 32;

    private final Kernels kernels;
    private final float[] lanes;
    private final float[] tile = new float[Kernels.TILE];

    private Rows chunk;

    /** Prepares sums between up to {@code count} points. */
    ChunkSums(Kernels kernels, int count) {
        this.kernels = kernels;
        lanes = new float[Kernels.lanesFor(count)];
    }

    /** Makes later calls use these points. */
    void moveTo(Rows next) {
        chunk = next;
    }

    /**
     * Adds squared distances between point {@code a} and {@code count} points from {@code first} to
     * {@code totals} from {@code at}.
     */
    void addDistances(int a, int first, int count, double[] totals, int at) {
        kernels.distances(chunk, a, first, count, lanes);
        for (int r = 0; r < count; r++) {
            double sum = tree(lanes, r * Kernels.LANES);
            totals[at + r] += exactDistance(sum, a, first + r);
        }
    }

    /** Adds inner products, like {@link #addDistances}. */
    void addProducts(int a, int first, int count, double[] totals, int at) {
        kernels.products(chunk, a, first, count, lanes);
        for (int r = 0; r < count; r++) {
            double sum = tree(lanes, r * Kernels.LANES);
            totals[at + r] += exactProduct(sum, a, first + r);
        }
    }

    /** Adds squared distances between a point and all others to the totals of their pairs. */
    void addCenter(int center, double[] totals) {
        int points = chunk.arrays().length;
        kernels.distances(chunk, center, 0, points, lanes);
        for (int other = 0; other < points; other++) {
            if (other != center) {
                int pair =
                        LookResult.pair(Math.min(center, other), Math.max(center, other), points);
                double sum = tree(lanes, other * Kernels.LANES);
                totals[pair] += exactDistance(sum, center, other);
            }
        }
    }

    /**
     * Adds the sums of all pairs of one of the first {@code rows} points and a later point.
     *
     * @param rows number of points on the first side of the pairs, a multiple of {@link
     *     Kernels#TILE_ROWS}
     * @param distances a total for each pair of points, empty to leave out
     * @param products like {@code distances}, for inner products
     */
    void addTiles(int rows, double[] distances, double[] products) {
        int points = chunk.arrays().length;
        for (int top = 0; top < rows; top += TOGETHER) {
            for (int left = top + 1; left < points; left += Kernels.TILE_COLUMNS) {
                int end = Math.min(Math.min(rows, top + TOGETHER), left + Kernels.TILE_COLUMNS - 1);
                for (int a = top; a < end; a += Kernels.TILE_ROWS) {
                    // The tiles of a row start to the right of the diagonal, four columns apart.
                    int b = left + Math.floorMod(a + 1 - left, Kernels.TILE_COLUMNS);
                    if (b < points) {
                        addTile(a, b, distances, products);
                    }
                }
            }
        }
    }

    private void addTile(int a, int b, double[] distances, double[] products) {
        if (distances.length > 0) {
            kernels.tileOfDistances(chunk, a, b, tile);
            addPairs(a, b, this::exactDistance, distances);
        }
        if (products.length > 0) {
            kernels.tileOfProducts(chunk, a, b, tile);
            addPairs(a, b, this::exactProduct, products);
        }
    }

    /** Adds a tile's sums to the totals of its pairs (i, j) with i &lt; j. */
    private void addPairs(int a, int b, Exact exact, double[] totals) {
        int count = chunk.arrays().length;
        for (int i = a; i < a + Kernels.TILE_ROWS; i++) {
            for (int j = Math.max(b, i + 1); j < Math.min(b + Kernels.TILE_COLUMNS, count); j++) {
                int at = ((i - a) * Kernels.TILE_COLUMNS + j - b) * Kernels.LANES;
                totals[LookResult.pair(i, j, count)] += exact.sum(tree(tile, at), i, j);
            }
        }
    }

    /** Replaces a pair's sum if it lost precision. */
    private interface Exact {
        double sum(double sum, int a, int b);
    }

    /** A pair's sum, or its sum in double if precision was lost. */
    private double exactDistance(double sum, int a, int b) {
        return exact(sum) || (sum == 0 && same(a, b)) ? sum : distanceInDouble(a, b);
    }

    private double exactProduct(double sum, int a, int b) {
        return exact(sum) || (sum == 0 && (zero(a) || zero(b))) ? sum : productInDouble(a, b);
    }

    private boolean zero(int a) {
        return chunk.arrays()[a] == Points.ZEROS;
    }

    /** True if two points agree bit by bit, which is the usual reason for a distance of zero. */
    private boolean same(int a, int b) {
        int i = chunk.starts()[a];
        int j = chunk.starts()[b];
        int length = chunk.length();
        return Arrays.equals(chunk.arrays()[a], i, i + length, chunk.arrays()[b], j, j + length);
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

    private double distanceInDouble(int a, int b) {
        float[] x = chunk.arrays()[a];
        float[] y = chunk.arrays()[b];
        int xFrom = chunk.starts()[a];
        int yFrom = chunk.starts()[b];
        double sum = 0;
        for (int i = 0; i < chunk.length(); i++) {
            double difference = (double) x[xFrom + i] - y[yFrom + i];
            sum += difference * difference;
        }
        return sum;
    }

    private double productInDouble(int a, int b) {
        float[] x = chunk.arrays()[a];
        float[] y = chunk.arrays()[b];
        int xFrom = chunk.starts()[a];
        int yFrom = chunk.starts()[b];
        double sum = 0;
        for (int i = 0; i < chunk.length(); i++) {
            sum += (double) x[xFrom + i] * y[yFrom + i];
        }
        return sum;
    }
}
