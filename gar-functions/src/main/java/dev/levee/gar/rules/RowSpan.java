package dev.levee.gar.rules;

import dev.levee.gar.internal.eigen.SymmetricEigen;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Coordinates of rows in an orthonormal basis of their span, from inner products only. The span is
 * formed by unit vectors: the scaled differences from an anchor row, and that scaled row itself.
 * Therefore, neither similar nor distant rows reduce the others' precision.
 */
final class RowSpan {
    /** Eigenvalues below this share of the largest are rounding errors of float products. */
    private static final double RANK = 1e-6;

    private final int n;
    private final int[] finite;
    private final double[] lengths;

    /** Unit vector p in terms of the basis: {@code coordinates[p][k]}. */
    private final double[][] coordinates;

    /** The basis in terms of the unit vectors: {@code basis[k][p]}. */
    private final double[][] basis;

    private RowSpan(AnchoredRows rows) {
        n = rows.rows();
        finite = IntStream.range(0, n).filter(rows::finite).toArray();
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
        while (rank <= n && eigen.value(rank) > RANK * eigen.value(0)) {
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

    static RowSpan of(AnchoredRows rows) {
        return new RowSpan(rows);
    }

    /** The rows that are finite. */
    int[] finite() {
        return finite;
    }

    /** Dimensions of the space. */
    int dimensions() {
        return basis.length;
    }

    /** A row: its difference from the anchor, minus the last point, which is the negated anchor. */
    private double[] row(int i) {
        return combined(lengths[i], i, -lengths[n], n);
    }

    /** A row scaled to length one; zero for a zero row. */
    double[] direction(int i) {
        return unit(row(i));
    }

    /** The difference of a row from the anchor. */
    double[] difference(int i) {
        return combined(lengths[i], i, 0, n);
    }

    /** The mean of the finite rows. */
    double[] mean() {
        double[] mean = new double[dimensions()];
        for (int i : finite) {
            double[] row = row(i);
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

    private double[] combined(double a, int i, double b, int j) {
        double[] sum = new double[dimensions()];
        for (int k = 0; k < sum.length; k++) {
            sum[k] = a * coordinates[i][k] + b * coordinates[j][k];
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
