package dev.levee.gar.rules;

import dev.levee.gar.internal.SymmetricEigen;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Finds the subset of given size whose scatter Σ(x − μ)(x − μ)ᵀ has the least largest eigenvalue,
 * by branch and bound in lexicographic order.
 *
 * <p>The bound: a row x that joins s rows of mean μ adds s/(s + 1)·(x − μ)(x − μ)ᵀ to their
 * scatter, which is positive semidefinite. So the largest eigenvalue never falls as rows join, and
 * a part of a subset that exceeds the best subset so far cannot be completed to a better one.
 */
final class LeastVariance {
    private static final double TIE = 1e-10;

    private final double[][] distances;
    private final int size;
    private final int[] chosen;
    private int[] best;
    private double limit;

    LeastVariance(double[][] distances, int size) {
        this.distances = distances;
        this.size = size;
        chosen = new int[size];
    }

    /** The subset in order of rows; the first rows if no subset has finite distances. */
    int[] subset() {
        best = IntStream.range(0, size).toArray();
        // Subsets as good as the guess are still looked for: one of them may come before it.
        limit = largest(guess(), size) * (1 + TIE);
        if (limit < Double.POSITIVE_INFINITY) {
            extend(0, 0);
        }
        return best;
    }

    private void extend(int taken, int from) {
        for (int row = from; row <= distances.length - (size - taken); row++) {
            chosen[taken] = row;
            double value = largest(chosen, taken + 1);
            if (!(value <= limit)) {
                continue;
            }
            if (taken + 1 < size) {
                extend(taken + 1, row + 1);
            } else {
                best = chosen.clone();
                limit = value * (1 - TIE);
                if (value == 0) {
                    limit = -1;
                }
            }
        }
    }

    /** A good subset: from all rows, drop the one that stands out most, again and again. */
    private int[] guess() {
        double[] weights =
                PairDistances.membership(PairDistances.finite(distances), distances.length);
        for (int left = (int) Arrays.stream(weights).sum(); left > size; left--) {
            CentredRows rows = CentredRows.of(distances, weights);
            if (rows == null) {
                return best;
            }
            double[] along = rows.projections(SymmetricEigen.of(rows.covariance()).vectors()[0]);
            int farthest = 0;
            for (int i = 1; i < along.length; i++) {
                if (Math.abs(along[i]) > Math.abs(along[farthest])) {
                    farthest = i;
                }
            }
            weights[rows.rows()[farthest]] = 0;
        }
        int[] kept = IntStream.range(0, weights.length).filter(i -> weights[i] > 0).toArray();
        return kept.length < size ? best : kept;
    }

    /** The scatter's largest eigenvalue, infinite if a distance is. */
    private double largest(int[] rows, int count) {
        double[] means = new double[count];
        double mean = 0;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                means[i] += distances[rows[i]][rows[j]] / count;
            }
            mean += means[i] / count;
        }
        if (!Double.isFinite(mean)) {
            return Double.POSITIVE_INFINITY;
        }
        double[][] products = new double[count][count];
        for (int i = 0; i < count; i++) {
            for (int j = i; j < count; j++) {
                products[i][j] = 0.5 * (means[i] + means[j] - distances[rows[i]][rows[j]] - mean);
            }
        }
        return Math.max(0, SymmetricEigen.largest(products));
    }
}
