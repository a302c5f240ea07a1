package dev.levee.gar;

import java.io.Serializable;

/**
 * The result of a look, summed over all coordinates.
 *
 * @param points number of points: rows, then the look's references
 * @param squaredDistances upper triangle without diagonal, pair (i, j) with i &lt; j at {@link
 *     #pair}; empty if not asked for
 * @param innerProducts in the same layout; empty if not asked for
 * @param signs for each row the number of positive, zero and negative values (NaN counts as none of
 *     them); empty if not asked for
 */
public record LookResult(
        int points, double[] squaredDistances, double[] innerProducts, double[] signs)
        implements Serializable {
    /** The result of a look without sign counts. */
    public LookResult(int points, double[] squaredDistances, double[] innerProducts) {
        this(points, squaredDistances, innerProducts, new double[0]);
    }

    /** The result of a look at nothing. */
    public static LookResult nothing(int points) {
        return new LookResult(points, new double[0], new double[0]);
    }

    /** Adds the shares of all blocks, in block order. */
    public static LookResult sum(LookResult[] shares) {
        double[] distances = shares[0].squaredDistances.clone();
        double[] products = shares[0].innerProducts.clone();
        double[] signs = shares[0].signs.clone();
        for (int block = 1; block < shares.length; block++) {
            add(shares[block].squaredDistances, distances);
            add(shares[block].innerProducts, products);
            add(shares[block].signs, signs);
        }
        return new LookResult(shares[0].points, distances, products, signs);
    }

    private static void add(double[] share, double[] sums) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += share[i];
        }
    }

    /** Index of the pair (i, j), i &lt; j, among the pairs of {@code points} points. */
    public static int pair(int i, int j, int points) {
        return i * (2 * points - i - 1) / 2 + (j - i - 1);
    }

    /** Number of pairs of {@code points} points. */
    public static int pairs(int points) {
        return points * (points - 1) / 2;
    }

    /** Squared distance of two different points, 0 for a point and itself. */
    public double squaredDistance(int i, int j) {
        return i == j ? 0 : squaredDistances[pair(Math.min(i, j), Math.max(i, j), points)];
    }

    /** Inner product of two different points. */
    public double innerProduct(int i, int j) {
        return innerProducts[pair(Math.min(i, j), Math.max(i, j), points)];
    }
}
