package dev.levee.gar.internal;

import dev.levee.gar.Looked;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Sums over one chunk: squared distances from differences, inner products from products. Lanes are
 * added in double in a fixed tree. If float arithmetic overflowed or underflowed, the chunk is
 * summed again in double. Holds scratch memory: one instance per call, not shared between threads.
 */
final class ChunkSums {
    /**
     * Below this, underflowed products may be missing from a sum: each loses at most 2⁻¹⁵⁰, so a
     * chunk of 2¹² loses at most 2⁻¹³⁸, which is below half a float's last digit from 2⁻¹¹⁴ on.
     */
    private static final double TINY = 0x1p-110;

    /** Points up to which the sums of all pairs are kept at a time. */
    private static final int FEW = 64;

    /** Floats of all points that are read at a time, 32 KiB. */
    private static final int CACHED = 8192;

    private final Kernels kernels;
    private final float[] lanes;
    private float[] distanceLanes = {};
    private float[] productLanes = {};

    private Rows chunk;

    /** Sums between up to {@code count} points. */
    ChunkSums(Kernels kernels, int count) {
        this.kernels = kernels;
        lanes = new float[Kernels.lanesFor(count)];
    }

    /** Sums between these points from now on. */
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
                int pair = Looked.pair(Math.min(center, other), Math.max(center, other), points);
                double sum = tree(lanes, other * Kernels.LANES);
                totals[pair] += exactDistance(sum, center, other);
            }
        }
    }

    /**
     * Adds the sums of all pairs of one of the first rows and a later point. Few points are read in
     * pieces that stay in the first-level cache until all of their pairs have been added; more of
     * them have more sums than fit there.
     *
     * @param rows a multiple of {@link Kernels#TILE_ROWS}
     * @param distances a total for each pair of points, empty to leave out
     * @param products like distances
     */
    void addTiles(int rows, double[] distances, double[] products) {
        int points = chunk.arrays().length;
        int[] tiles = tiles(rows, points);
        boolean few = points <= FEW;
        int piece = few ? CACHED / points / Kernels.LANES * Kernels.LANES : Kernels.CHUNK;
        int together = few ? tiles.length / 2 : 1;
        for (int first = 0; first < tiles.length; first += 2 * together) {
            int end = Math.min(tiles.length, first + 2 * together);
            measure(tiles, first, end, piece, distances.length > 0, products.length > 0);
            for (int t = first; t < end; t += 2) {
                finish(tiles[t], tiles[t + 1], (t - first) / 2, distances, products);
            }
        }
    }

    /** The first rows a and b of each tile. */
    private static int[] tiles(int rows, int points) {
        IntStream.Builder tiles = IntStream.builder();
        for (int a = 0; a < rows; a += Kernels.TILE_ROWS) {
            for (int b = a + 1; b < points; b += Kernels.TILE_COLUMNS) {
                tiles.add(a).add(b);
            }
        }
        return tiles.build().toArray();
    }

    private void measure(
            int[] tiles, int first, int end, int piece, boolean distances, boolean products) {
        int size = (end - first) / 2 * Kernels.TILE;
        distanceLanes = distances ? cleared(distanceLanes, size) : distanceLanes;
        productLanes = products ? cleared(productLanes, size) : productLanes;
        for (int from = 0; from < chunk.length(); from += piece) {
            Rows part = chunk.part(from, Math.min(piece, chunk.length() - from));
            for (int t = first; t < end; t += 2) {
                int at = (t - first) / 2 * Kernels.TILE;
                if (distances) {
                    kernels.tileOfDistances(part, tiles[t], tiles[t + 1], distanceLanes, at);
                }
                if (products) {
                    kernels.tileOfProducts(part, tiles[t], tiles[t + 1], productLanes, at);
                }
            }
        }
    }

    private static float[] cleared(float[] lanes, int size) {
        if (lanes.length < size) {
            return new float[size];
        }
        Arrays.fill(lanes, 0, size, 0);
        return lanes;
    }

    /** Adds a tile's sums to the totals of its pairs (i, j) with i &lt; j. */
    private void finish(int a, int b, int tile, double[] distances, double[] products) {
        int count = chunk.arrays().length;
        for (int i = a; i < a + Kernels.TILE_ROWS; i++) {
            for (int j = Math.max(b, i + 1); j < Math.min(b + Kernels.TILE_COLUMNS, count); j++) {
                int pair = Looked.pair(i, j, count);
                int at =
                        tile * Kernels.TILE
                                + ((i - a) * Kernels.TILE_COLUMNS + j - b) * Kernels.LANES;
                if (distances.length > 0) {
                    distances[pair] += exactDistance(tree(distanceLanes, at), i, j);
                }
                if (products.length > 0) {
                    products[pair] += exactProduct(tree(productLanes, at), i, j);
                }
            }
        }
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

    /** True if two points agree bit by bit: the usual reason for a distance of zero. */
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
