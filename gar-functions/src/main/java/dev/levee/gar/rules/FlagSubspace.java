package dev.levee.gar.rules;

import dev.levee.gar.internal.eigen.SymmetricEigen;

import java.util.Arrays;

/**
 * The subspace of the flag aggregator, in coordinates of the rows' span. Its columns are p
 * unit-length rows and p(p − 1)/2 unit-length differences, which are never formed: sums over
 * differences are Σ a_ij (x_i − x_j)(x_i − x_j)ᵀ = X·L·Xᵀ with the Laplacian L of the weights a_ij,
 * and their projections follow from the p projected points. An iteration costs O(p³).
 */
final class FlagSubspace {
    private static final int MOST = 1000;

    /** Bounds the weight of a column that lies in the subspace. */
    private static final double EPSILON = 1e-10;

    /**
     * Points whose distance relative to their lengths is below this differ only by the rounding of
     * float products.
     */
    private static final double SAME = 1e-6;

    private final double[][] rows;
    private final double[][] points;
    private final double factor;
    private final int dimensions;

    /** Squared lengths of the differences, 0 for equal points. */
    private final double[][] squares;

    private final double[] rowWeights;
    private final double[][] pairWeights;

    /**
     * Prepares to find a subspace.
     *
     * @param rows p unit-length rows
     * @param points the p points whose differences count
     * @param lambda weight of the differences
     * @param dimensions number of coordinates of each row and point
     */
    FlagSubspace(double[][] rows, double[][] points, double lambda, int dimensions) {
        int p = rows.length;
        this.rows = rows;
        this.points = points;
        this.dimensions = dimensions;
        factor = p > 1 ? lambda / (p - 1) : 0;
        squares = new double[p][p];
        rowWeights = new double[p];
        pairWeights = new double[p][p];
        for (int i = 0; i < p; i++) {
            rowWeights[i] = 1;
            for (int j = i + 1; j < p; j++) {
                double square = square(points[i], points[j]);
                double sizes = square(points[i], null) + square(points[j], null);
                squares[i][j] = square > SAME * SAME * sizes ? square : 0;
                pairWeights[i][j] = factor;
            }
        }
    }

    /**
     * An orthonormal basis, by iteratively reweighted least squares from equal weights.
     *
     * @param m number of dimensions, at most those of the span
     * @return m vectors
     */
    double[][] basis(int m) {
        double before = Double.POSITIVE_INFINITY;
        double[][] basis = leading(m);
        for (int t = 0; t < MOST; t++) {
            double objective = weigh(basis);
            if (!(objective < before * (1 - Flag.TOLERANCE))) {
                return basis;
            }
            before = objective;
            basis = leading(m);
        }
        return basis;
    }

    /**
     * Sets the weight of each column from the part of it that lies outside the subspace. Returns
     * the objective.
     */
    private double weigh(double[][] basis) {
        int p = rows.length;
        double objective = 0;
        double[][] projected = new double[p][basis.length];
        for (int i = 0; i < p; i++) {
            double lost = Math.max(0, 1 - share(basis, rows[i]));
            objective += Math.sqrt(lost);
            rowWeights[i] = 1 / Math.sqrt(lost + EPSILON);
            for (int k = 0; k < basis.length; k++) {
                projected[i][k] = dot(basis[k], points[i]);
            }
        }
        for (int i = 0; i < p && factor > 0; i++) {
            for (int j = i + 1; j < p; j++) {
                double kept =
                        squares[i][j] == 0 ? 0 : square(projected[i], projected[j]) / squares[i][j];
                double lost = Math.max(0, 1 - kept);
                objective += factor * Math.sqrt(lost);
                pairWeights[i][j] = factor / Math.sqrt(lost + EPSILON);
            }
        }
        return objective;
    }

    /** The first m eigenvectors of Σ w·c·cᵀ: the leading left singular vectors of the columns. */
    private double[][] leading(int m) {
        int p = rows.length;
        double[][] laplacian = new double[p][p];
        for (int i = 0; i < p; i++) {
            for (int j = i + 1; j < p; j++) {
                if (squares[i][j] > 0) {
                    double a = pairWeights[i][j] / squares[i][j];
                    laplacian[i][i] += a;
                    laplacian[j][j] += a;
                    laplacian[i][j] -= a;
                    laplacian[j][i] -= a;
                }
            }
        }
        double[][] sum = new double[dimensions][dimensions];
        double[] mixed = new double[dimensions];
        for (int i = 0; i < p; i++) {
            Arrays.fill(mixed, 0);
            for (int j = 0; j < p && factor > 0; j++) {
                add(laplacian[i][j], points[j], mixed);
            }
            for (int r = 0; r < dimensions; r++) {
                add(rowWeights[i] * rows[i][r], rows[i], sum[r]);
                add(points[i][r], mixed, sum[r]);
            }
        }
        for (int r = 0; r < dimensions; r++) {
            for (int s = 0; s < r; s++) {
                // The decomposition requires symmetry; the two differ only in their last digits.
                sum[s][r] = sum[r][s];
            }
        }
        SymmetricEigen eigen = SymmetricEigen.of(sum);
        double[][] basis = new double[m][];
        for (int k = 0; k < m; k++) {
            basis[k] = eigen.vector(k);
        }
        return basis;
    }

    private static void add(double factor, double[] vector, double[] sum) {
        for (int k = 0; k < sum.length; k++) {
            sum[k] += factor * vector[k];
        }
    }

    /** Squared distance of two vectors; {@code b} is null for the zero vector. */
    private static double square(double[] a, double[] b) {
        double sum = 0;
        for (int k = 0; k < a.length; k++) {
            double difference = b == null ? a[k] : a[k] - b[k];
            sum += difference * difference;
        }
        return sum;
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
