package dev.levee.gar;

import java.io.Serializable;

/**
 * The numbers a look brought, summed over all coordinates.
 *
 * @param points number of points: rows first, then the look's references
 * @param squaredDistances upper triangle without diagonal, pair (i, j) with i &lt; j at {@link
 *     #pair}; empty if not asked for
 * @param innerProducts the same layout; empty if not asked for
 */
public record Looked(int points, double[] squaredDistances, double[] innerProducts)
        implements Serializable {
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
