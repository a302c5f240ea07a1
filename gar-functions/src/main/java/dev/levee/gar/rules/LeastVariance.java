package dev.levee.gar.rules;

import dev.levee.gar.LookResult;
import dev.levee.gar.internal.eigen.LargestEigenvalue;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Finds the subset of rows of a given size that minimizes the largest eigenvalue of its scatter Σ(x
 * − μ)(x − μ)ᵀ, by branch and bound over the rows to leave out.
 *
 * <p>Adding a row adds a positive semidefinite matrix to the scatter, so the eigenvalue of the rows
 * already included is a lower bound. Only distances within a subset matter, so excluded rows may be
 * arbitrarily far away.
 */
final class LeastVariance {
    /**
     * Eigenvalues whose relative difference is at most this differ only by rounding and count as
     * equal.
     */
    private static final double TIE = 1e-10;

    private final double[][] squares;
    private final int n;
    private final int size;
    private final int[] order;
    private final double[][] scratch;
    private final int[] members;
    private int[] best;
    private double least = Double.POSITIVE_INFINITY;

    LeastVariance(LookResult looked, int n, int size) {
        this.n = n;
        this.size = size;
        squares = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                squares[i][j] = i == j ? 0 : Ranking.worst(looked.squaredDistance(i, j));
            }
        }
        scratch = new double[n][n];
        members = new int[n];
        order = outermostFirst();
        best = IntStream.range(0, size).toArray();
    }

    /** The subset in ascending order. */
    int[] solve() {
        branch(0, 0, new boolean[n]);
        return best;
    }

    /**
     * Rows in order of their distance to the others, far rows first, so that including one raises
     * the lower bound most.
     */
    private int[] outermostFirst() {
        double[] sums = new double[n];
        for (int i = 0; i < n; i++) {
            double[] sorted = squares[i].clone();
            Arrays.sort(sorted);
            for (int k = 0; k < size; k++) {
                sums[i] -= sorted[k];
            }
        }
        return IntStream.range(0, n)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> sums[i]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /**
     * Decides on the rows from {@code position} of the order on. The rows in {@code out} are
     * already left out.
     */
    private void branch(int position, int left, boolean[] out) {
        if (left == n - size) {
            leaf(out);
            return;
        }
        if (n - position == n - size - left) {
            for (int k = position; k < n; k++) {
                out[order[k]] = true;
            }
            leaf(out);
            for (int k = position; k < n; k++) {
                out[order[k]] = false;
            }
            return;
        }
        out[order[position]] = true;
        branch(position + 1, left + 1, out);
        out[order[position]] = false;
        if (eigenvalue(position + 1, out) <= least * (1 + TIE)) {
            branch(position + 1, left, out);
        }
    }

    private void leaf(boolean[] out) {
        double value = eigenvalue(n, out);
        int[] rows = IntStream.range(0, n).filter(i -> !out[i]).toArray();
        boolean equal = value <= least * (1 + TIE) && least <= value * (1 + TIE);
        if (equal ? Arrays.compare(rows, best) < 0 : value < least) {
            best = rows;
        }
        least = Math.min(least, value);
    }

    /** Largest eigenvalue of the scatter of the first rows of the order that are not left out. */
    private double eigenvalue(int positions, boolean[] out) {
        int m = 0;
        for (int k = 0; k < positions; k++) {
            if (!out[order[k]]) {
                members[m++] = order[k];
            }
        }
        if (m < 2) {
            return 0;
        }
        // Sort, so that a subset's value does not depend on the order in which its rows were
        // chosen.
        Arrays.sort(members, 0, m);
        double[] means = new double[m];
        double mean = 0;
        for (int i = 0; i < m; i++) {
            double[] row = squares[members[i]];
            for (int j = 0; j < m; j++) {
                means[i] += row[members[j]];
            }
            means[i] /= m;
            mean += means[i] / m;
        }
        if (!(mean < Double.POSITIVE_INFINITY)) {
            return Double.POSITIVE_INFINITY;
        }
        for (int i = 0; i < m; i++) {
            double[] row = squares[members[i]];
            for (int j = 0; j < m; j++) {
                scratch[i][j] = (means[i] + means[j] - mean - row[members[j]]) / 2;
            }
        }
        return LargestEigenvalue.of(scratch, m);
    }
}
