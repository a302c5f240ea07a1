package dev.levee.operators.rounds.coding;

import java.util.Arrays;

/**
 * The QR decomposition of an m × k matrix A, m ≥ k, by Householder reflections. It keeps the
 * triangle R, and Qᵀb for a right side b, which suffice for least squares and the condition number.
 */
final class Triangle {
    /** Steps of the power iterations, which converge fast if the condition number is large. */
    private static final int ITERATIONS = 60;

    private final double[][] columns;
    private final double[] right;

    /**
     * Decomposes a matrix in place.
     *
     * @param columns k columns of m numbers, overwritten
     * @param right m numbers, overwritten
     */
    Triangle(double[][] columns, double[] right) {
        this.columns = columns;
        this.right = right;
        for (int k = 0; k < columns.length; k++) {
            double[] reflection = columns[k].clone();
            double norm = norm(reflection, k);
            double head = reflection[k] > 0 ? -norm : norm;
            reflection[k] -= head;
            double size = dot(reflection, reflection, k);
            for (int j = k + 1; j < columns.length && size > 0; j++) {
                reflect(columns[j], reflection, k, size);
            }
            if (size > 0) {
                reflect(right, reflection, k, size);
            }
            columns[k][k] = head;
            Arrays.fill(columns[k], k + 1, columns[k].length, 0);
        }
    }

    /** The x that minimizes ‖Ax − b‖. */
    double[] solution() {
        return solve(Arrays.copyOf(right, columns.length));
    }

    /**
     * The largest singular value divided by the smallest; infinite if A does not have full rank.
     */
    double condition() {
        int k = columns.length;
        for (int i = 0; i < k; i++) {
            if (columns[i][i] == 0) {
                return Double.POSITIVE_INFINITY;
            }
        }
        double[] large = start(k);
        double[] small = start(k);
        double most = 0;
        double least = 0;
        for (int i = 0; i < ITERATIONS; i++) {
            most = scale(large);
            large = transposed(times(large));
            least = scale(small);
            small = solve(solveTransposed(small));
        }
        return Math.sqrt(most * least);
    }

    private static double[] start(int k) {
        double[] vector = new double[k];
        for (int i = 0; i < k; i++) {
            vector[i] = 1 + Math.sin(7.0 * i + 1) / 2;
        }
        return vector;
    }

    private static double scale(double[] vector) {
        double norm = norm(vector, 0);
        for (int i = 0; i < vector.length; i++) {
            vector[i] /= norm;
        }
        return norm;
    }

    /** R·x. */
    private double[] times(double[] x) {
        double[] product = new double[x.length];
        for (int j = 0; j < x.length; j++) {
            for (int i = 0; i <= j; i++) {
                product[i] += columns[j][i] * x[j];
            }
        }
        return product;
    }

    /** Rᵀ·x. */
    private double[] transposed(double[] x) {
        double[] product = new double[x.length];
        for (int j = 0; j < x.length; j++) {
            for (int i = 0; i <= j; i++) {
                product[j] += columns[j][i] * x[i];
            }
        }
        return product;
    }

    /** Solves R·x = b in place. */
    private double[] solve(double[] b) {
        for (int j = b.length - 1; j >= 0; j--) {
            b[j] /= columns[j][j];
            for (int i = 0; i < j; i++) {
                b[i] -= columns[j][i] * b[j];
            }
        }
        return b;
    }

    /** Solves Rᵀ·x = b in place. */
    private double[] solveTransposed(double[] b) {
        for (int j = 0; j < b.length; j++) {
            for (int i = 0; i < j; i++) {
                b[j] -= columns[j][i] * b[i];
            }
            b[j] /= columns[j][j];
        }
        return b;
    }

    private static void reflect(double[] vector, double[] reflection, int from, double size) {
        double factor = 2 * dot(vector, reflection, from) / size;
        for (int i = from; i < vector.length; i++) {
            vector[i] -= factor * reflection[i];
        }
    }

    private static double norm(double[] vector, int from) {
        return Math.sqrt(dot(vector, vector, from));
    }

    private static double dot(double[] a, double[] b, int from) {
        double sum = 0;
        for (int i = from; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
