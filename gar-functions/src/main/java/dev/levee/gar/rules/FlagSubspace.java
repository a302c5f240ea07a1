package dev.levee.gar.rules;

import dev.levee.gar.internal.SymmetricEigen;

import java.util.ArrayList;
import java.util.List;

/** The subspace of the flag aggregator, in coordinates of the rows' span. */
final class FlagSubspace {
    private static final int MOST = 1000;

    /** Keeps the weight of a column finite that lies in the subspace. */
    private static final double EPSILON = 1e-10;

    private FlagSubspace() {}

    /**
     * An orthonormal basis, by iteratively reweighted least squares from equal weights.
     *
     * @param m number of dimensions, at most those of the span
     * @param lambda weight of the differences
     * @return m vectors
     */
    static double[][] of(RowSpan span, int m, double lambda) {
        List<double[]> columns = new ArrayList<>();
        List<Double> factors = new ArrayList<>();
        int[] rows = span.finite();
        for (int a = 0; a < rows.length; a++) {
            columns.add(span.direction(rows[a]));
            factors.add(1.0);
            for (int b = a + 1; b < rows.length && lambda > 0; b++) {
                columns.add(span.direction(rows[a], rows[b]));
                factors.add(lambda / (rows.length - 1));
            }
        }
        double[] weights = factors.stream().mapToDouble(Double::doubleValue).toArray();
        double before = Double.POSITIVE_INFINITY;
        double[][] basis = leading(columns, weights, span.dimensions(), m);
        for (int t = 0; t < MOST; t++) {
            double objective = 0;
            for (int c = 0; c < weights.length; c++) {
                double lost = Math.max(0, 1 - share(basis, columns.get(c)));
                objective += factors.get(c) * Math.sqrt(lost);
                weights[c] = factors.get(c) / Math.sqrt(lost + EPSILON);
            }
            if (!(objective < before * (1 - Flag.TOLERANCE))) {
                return basis;
            }
            before = objective;
            basis = leading(columns, weights, span.dimensions(), m);
        }
        return basis;
    }

    /** The first m eigenvectors of Σ w·c·cᵀ: the leading left singular vectors of the columns. */
    private static double[][] leading(List<double[]> columns, double[] weights, int d, int m) {
        double[][] sum = new double[d][d];
        for (int c = 0; c < weights.length; c++) {
            double[] column = columns.get(c);
            for (int i = 0; i < d; i++) {
                double scaled = weights[c] * column[i];
                for (int j = 0; j <= i; j++) {
                    sum[i][j] += scaled * column[j];
                }
            }
        }
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < i; j++) {
                sum[j][i] = sum[i][j];
            }
        }
        SymmetricEigen eigen = SymmetricEigen.of(sum);
        double[][] basis = new double[m][];
        for (int k = 0; k < m; k++) {
            basis[k] = eigen.vector(k);
        }
        return basis;
    }

    /** ‖Yᵀv‖². */
    static double share(double[][] basis, double[] vector) {
        double share = 0;
        for (double[] y : basis) {
            double along = dot(y, vector);
            share += along * along;
        }
        return share;
    }

    /** Y·Yᵀ·v. */
    static double[] project(double[][] basis, double[] vector) {
        double[] projected = new double[vector.length];
        for (double[] y : basis) {
            double along = dot(y, vector);
            for (int i = 0; i < projected.length; i++) {
                projected[i] += along * y[i];
            }
        }
        return projected;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
