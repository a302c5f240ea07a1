package dev.levee.gar.rules;

import dev.levee.gar.LookResult;
import dev.levee.gar.RowMap;
import dev.levee.gar.Step;
import dev.levee.gar.internal.eigen.SymmetricEigen;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Coordinates of rows in an orthonormal basis of their span, from inner products only. The span is
 * formed by unit vectors: the scaled differences of the unit-length rows from one of them, and that
 * row itself. Therefore, neither similar rows nor rows of very different length reduce the others'
 * precision.
 */
final class RowSpan {
    /** Relative error of float products. Eigenvalues below this share of the largest are errors. */
    private static final double ROUNDING = 1e-6;

    private final int n;
    private final int[] finite;

    /** Norms of the rows and of the anchor; negative for rows that are not finite. */
    private final double[] norms;

    /** Lengths of the unit rows' differences from the anchor, and of the anchor. */
    private final double[] lengths;

    /** Unit vector p in terms of the basis: {@code coordinates[p][k]}. */
    private final double[][] coordinates;

    /** The basis in terms of the unit vectors: {@code basis[k][p]}. */
    private final double[][] basis;

    private RowSpan(AnchoredRows rows, double[] norms) {
        n = rows.rows();
        this.norms = norms;
        finite = IntStream.range(0, n).filter(i -> norms[i] >= 0).toArray();
        lengths = new double[n + 1];
        for (int i : finite) {
            lengths[i] = Math.sqrt(rows.product(i, i));
        }
        lengths[n] = rows.anchorNorm();
        double[][] cosines = new double[n + 1][n + 1];
        for (int i = 0; i <= n; i++) {
            for (int j = 0; j <= n; j++) {
                if (lengths[i] > 0 && lengths[j] > 0) {
                    cosines[i][j] = i == j ? 1 : rows.product(i, j) / lengths[i] / lengths[j];
                }
            }
        }
        SymmetricEigen eigen = SymmetricEigen.of(cosines);
        int rank = 0;
        while (rank <= n && eigen.value(rank) > ROUNDING * eigen.value(0)) {
            rank++;
        }
        coordinates = new double[n + 1][rank];
        basis = new double[rank][n + 1];
        for (int k = 0; k < rank; k++) {
            double[] vector = eigen.vector(k);
            double root = Math.sqrt(eigen.value(k));
            for (int i = 0; i <= n; i++) {
                coordinates[i][k] = vector[i] * root;
                basis[k][i] = vector[i] / root;
            }
        }
    }

    /**
     * Looks again, at the differences of n unit-length rows from one of them, followed by that row
     * negated. Rows that are zero or not finite become zero. Norms are stored as notes.
     *
     * @param first the look {@link AnchoredRows#FIRST}
     */
    static Step look(LookResult first, int n, int f) {
        double[] norms = AnchoredRows.distances(first, n, n);
        int[] finite = IntStream.range(0, n).filter(i -> norms[i] >= 0).toArray();
        int faults = Math.max(0, f - (n - finite.length));
        LookResult units = unitDistances(first, norms);
        int anchor = finite.length == 0 ? 0 : AnchoredRows.anchor(units, finite, faults);
        double[][] scaled = new double[n][n];
        for (int i : finite) {
            scaled[i][i] = norms[i] > 0 ? 1 / norms[i] : 0;
        }
        double[] notes = Arrays.copyOf(norms, n + 1);
        notes[n] = norms[anchor];
        RowMap differences = AnchoredRows.differences(anchor, n).after(new RowMap(scaled));
        return RowNotes.lookAgain(differences, AnchoredRows.BOTH, notes);
    }

    /**
     * Squared distances between unit-length rows. Rounding only enlarges them, so a row much longer
     * than others does not appear to be near them.
     */
    private static LookResult unitDistances(LookResult first, double[] norms) {
        int n = norms.length;
        double[] squares = new double[LookResult.pairs(n)];
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                double product = norms[i] * norms[j];
                double lengths = (norms[i] - norms[j]) * (norms[i] - norms[j]);
                double square = first.squaredDistance(i, j) - (1 - ROUNDING) * lengths;
                squares[LookResult.pair(i, j, n)] =
                        product > 0 ? Math.max(0, square / product) : Math.signum(lengths);
            }
        }
        return new LookResult(n, squares, new double[0]);
    }

    /** Reads the results of {@link #look}, for n rows. */
    static RowSpan of(RowMap mixed, LookResult looked, int n) {
        return new RowSpan(AnchoredRows.seen(looked, n), RowNotes.of(mixed));
    }

    /** The rows that are finite. */
    int[] finite() {
        return finite;
    }

    /** Dimensions of the space. */
    int dimensions() {
        return basis.length;
    }

    /** A row scaled to length one; zero for a zero row. */
    double[] direction(int i) {
        return norms[i] > 0 ? unit(combined(1, i, 1)) : new double[dimensions()];
    }

    /** The difference of a row from the anchor. */
    double[] difference(int i) {
        return combined(norms[i], i, norms[i] - norms[n]);
    }

    /** The mean of the finite rows. */
    double[] mean() {
        double[] mean = new double[dimensions()];
        for (int i : finite) {
            double[] row = combined(norms[i], i, norms[i]);
            for (int k = 0; k < mean.length; k++) {
                mean[k] += row[k] / finite.length;
            }
        }
        return mean;
    }

    /** Converts a vector of the space to weights of the look's points. */
    double[] weights(double[] vector) {
        double[] weights = new double[n + 1];
        for (int i = 0; i <= n; i++) {
            for (int k = 0; k < vector.length && lengths[i] > 0; k++) {
                weights[i] += vector[k] * basis[k][i] / lengths[i];
            }
        }
        return weights;
    }

    /** Point i times a, plus the unit-length anchor times b. The last point is its negative. */
    private double[] combined(double a, int i, double b) {
        double[] sum = new double[dimensions()];
        for (int k = 0; k < sum.length; k++) {
            sum[k] = a * lengths[i] * coordinates[i][k] - b * lengths[n] * coordinates[n][k];
        }
        return sum;
    }

    private static double[] unit(double[] vector) {
        double squared = 0;
        for (double x : vector) {
            squared += x * x;
        }
        if (squared == 0) {
            return vector;
        }
        double length = Math.sqrt(squared);
        Arrays.setAll(vector, k -> vector[k] / length);
        return vector;
    }
}
