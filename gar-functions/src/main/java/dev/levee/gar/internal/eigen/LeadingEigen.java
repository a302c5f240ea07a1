package dev.levee.gar.internal.eigen;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The leading eigenvalue and eigenvector of a positive semidefinite symmetric matrix. For up to
 * {@link #SMALL} rows, it uses {@link SymmetricEigen}; for more rows, Lanczos iteration with full
 * reorthogonalization (Golub, Van Loan, "Matrix Computations", section 10.3), which needs a few
 * dozen matrix-vector products and is about a hundred times faster. Each sum has a fixed order, so
 * all machines give the same bits.
 */
public final class LeadingEigen {
    /**
     * Up to this many rows, the whole decomposition is fast. It has been used since the first
     * version.
     */
    static final int SMALL = 64;

    /** Residual at which the iteration ends, relative to the leading eigenvalue. */
    private static final double TOLERANCE = 0x1p-36;

    /** Number of steps between checks of the residual. */
    private static final int STRIDE = 4;

    private final double value;
    private final double[] vector;

    private LeadingEigen(double value, double[] vector) {
        this.value = value;
        this.vector = vector;
    }

    /**
     * Finds the leading pair.
     *
     * @param matrix n rows of n finite numbers, symmetric; not changed
     */
    public static LeadingEigen of(double[][] matrix) {
        if (matrix.length <= SMALL) {
            SymmetricEigen all = SymmetricEigen.of(matrix);
            return new LeadingEigen(all.value(0), all.vector(0));
        }
        return lanczos(matrix);
    }

    /** The largest eigenvalue. */
    public double value() {
        return value;
    }

    /** Its unit eigenvector; the first component of largest magnitude is positive. */
    public double[] vector() {
        return vector.clone();
    }

    private static LeadingEigen lanczos(double[][] matrix) {
        int n = matrix.length;
        double[][] basis = new double[n][];
        double[] diagonal = new double[n];
        double[] beside = new double[n];
        // A random start: a start orthogonal to the eigenvector would never find it.
        basis[0] = new SplittableRandom(n).doubles(n, -1, 1).toArray();
        scale(basis[0], 1 / norm(basis[0]));
        for (int k = 0; ; k++) {
            double[] next = times(matrix, basis[k]);
            diagonal[k] = dot(next, basis[k]);
            // Orthogonalizing twice is enough (Kahan, Parlett).
            orthogonalize(next, basis, k + 1);
            orthogonalize(next, basis, k + 1);
            beside[k] = norm(next);
            boolean last = k + 1 == n || !(beside[k] > Double.MIN_NORMAL);
            if (last || k % STRIDE == STRIDE - 1) {
                double largest = LargestEigenvalue.ofTridiagonal(diagonal, beside, k + 1);
                double[] weights = vector(diagonal, beside, k + 1, largest);
                if (last || beside[k] * Math.abs(weights[k]) <= TOLERANCE * largest) {
                    return new LeadingEigen(largest, combined(basis, weights));
                }
            }
            scale(next, 1 / beside[k]);
            basis[k + 1] = next;
        }
    }

    /**
     * The eigenvector of a tridiagonal matrix's largest eigenvalue. The shift of the inverse
     * iteration is just above this eigenvalue, where elimination needs no pivoting.
     */
    private static double[] vector(double[] diagonal, double[] beside, int k, double largest) {
        double shift = largest + Math.max(Math.abs(largest) * 0x1p-50, Double.MIN_NORMAL);
        double[] pivots = new double[k];
        for (int i = 0; i < k; i++) {
            double off = i == 0 ? 0 : beside[i - 1] * beside[i - 1] / pivots[i - 1];
            pivots[i] = Math.max(shift - diagonal[i] - off, Math.abs(largest) * 0x1p-60);
            pivots[i] = Math.max(pivots[i], Double.MIN_NORMAL);
        }
        double[] x = new double[k];
        Arrays.fill(x, 1 / Math.sqrt(k));
        for (int turn = 0; turn < 4; turn++) {
            for (int i = 1; i < k; i++) {
                x[i] += beside[i - 1] / pivots[i - 1] * x[i - 1];
            }
            for (int i = k - 1; i >= 0; i--) {
                double behind = i + 1 < k ? beside[i] * x[i + 1] : 0;
                x[i] = (x[i] + behind) / pivots[i];
            }
            double largestPart = Arrays.stream(x).map(Math::abs).max().orElse(1);
            scale(x, 1 / largestPart);
            scale(x, 1 / norm(x));
        }
        return x;
    }

    private static double[] combined(double[][] basis, double[] weights) {
        double[] vector = new double[basis.length];
        for (int k = 0; k < weights.length; k++) {
            add(weights[k], basis[k], vector);
        }
        scale(vector, 1 / norm(vector));
        int largest = 0;
        for (int i = 1; i < vector.length; i++) {
            largest = Math.abs(vector[i]) > Math.abs(vector[largest]) ? i : largest;
        }
        if (vector[largest] < 0) {
            scale(vector, -1);
        }
        return vector;
    }

    private static void orthogonalize(double[] vector, double[][] basis, int count) {
        for (int k = 0; k < count; k++) {
            add(-dot(vector, basis[k]), basis[k], vector);
        }
    }

    /**
     * Adds multiples of the rows instead of forming an inner product per row, so that additions do
     * not wait for one another. The matrix is symmetric.
     */
    private static double[] times(double[][] matrix, double[] vector) {
        double[] product = new double[vector.length];
        for (int i = 0; i < vector.length; i++) {
            add(vector[i], matrix[i], product);
        }
        return product;
    }

    private static void add(double factor, double[] vector, double[] sum) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += factor * vector[i];
        }
    }

    private static void scale(double[] vector, double factor) {
        for (int i = 0; i < vector.length; i++) {
            vector[i] *= factor;
        }
    }

    /** Adds in four independent chains, which the processor runs in parallel. */
    private static double dot(double[] a, double[] b) {
        double sum0 = 0;
        double sum1 = 0;
        double sum2 = 0;
        double sum3 = 0;
        int i = 0;
        for (; i + 3 < a.length; i += 4) {
            sum0 += a[i] * b[i];
            sum1 += a[i + 1] * b[i + 1];
            sum2 += a[i + 2] * b[i + 2];
            sum3 += a[i + 3] * b[i + 3];
        }
        for (; i < a.length; i++) {
            sum0 += a[i] * b[i];
        }
        return (sum0 + sum1) + (sum2 + sum3);
    }

    private static double norm(double[] vector) {
        return Math.sqrt(dot(vector, vector));
    }
}
