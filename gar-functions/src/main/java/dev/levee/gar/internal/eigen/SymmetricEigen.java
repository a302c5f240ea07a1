package dev.levee.gar.internal.eigen;

/**
 * Computes eigenvalues and eigenvectors of a small symmetric matrix by cyclic Jacobi rotations
 * (Golub, Van Loan, "Matrix Computations", section 8.5). It uses only additions, multiplications,
 * divisions and square roots in a fixed order, so all machines give the same bits.
 */
public final class SymmetricEigen {
    private static final int SWEEPS = 60;

    private final double[] values;
    private final double[][] vectors;

    private SymmetricEigen(double[] values, double[][] vectors) {
        this.values = values;
        this.vectors = vectors;
    }

    /**
     * Decomposes a matrix.
     *
     * @param matrix n rows of n finite numbers, symmetric; not changed
     */
    public static SymmetricEigen of(double[][] matrix) {
        int n = matrix.length;
        double[][] a = new double[n][];
        double[][] v = new double[n][n];
        for (int i = 0; i < n; i++) {
            a[i] = matrix[i].clone();
            v[i][i] = 1;
        }
        for (int sweep = 0; sweep < SWEEPS && rotateAll(a, v); sweep++) {
            // rotateAll rotates, and returns false once every pair is zero
        }
        return sorted(a, v);
    }

    /** Eigenvalue {@code k}, the largest first. */
    public double value(int k) {
        return values[k];
    }

    /**
     * The unit eigenvector of eigenvalue {@code k}; its first component of largest magnitude is
     * positive.
     */
    public double[] vector(int k) {
        return vectors[k].clone();
    }

    /** Applies one rotation to each pair. Returns false if all pairs were already zero. */
    private static boolean rotateAll(double[][] a, double[][] v) {
        boolean rotated = false;
        for (int p = 0; p < a.length; p++) {
            for (int q = p + 1; q < a.length; q++) {
                double small = Math.abs(a[p][q]);
                // An entry this small compared with both diagonal entries cannot change an
                // eigenvalue.
                if (lost(small, a[p][p]) && lost(small, a[q][q])) {
                    a[p][q] = 0;
                    a[q][p] = 0;
                } else {
                    rotate(a, v, p, q);
                    rotated = true;
                }
            }
        }
        return rotated;
    }

    private static boolean lost(double small, double beside) {
        return Math.abs(beside) + small == Math.abs(beside);
    }

    private static void rotate(double[][] a, double[][] v, int p, int q) {
        double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        double size = Math.abs(theta);
        double t = 1 / (size + Math.sqrt(1 + size * size));
        if (theta < 0) {
            t = -t;
        }
        double c = 1 / Math.sqrt(1 + t * t);
        double s = t * c;
        double pq = a[p][q];
        for (int k = 0; k < a.length; k++) {
            if (k != p && k != q) {
                double kp = a[k][p];
                double kq = a[k][q];
                a[k][p] = c * kp - s * kq;
                a[k][q] = s * kp + c * kq;
                a[p][k] = a[k][p];
                a[q][k] = a[k][q];
            }
            double x = v[p][k];
            double y = v[q][k];
            v[p][k] = c * x - s * y;
            v[q][k] = s * x + c * y;
        }
        a[p][p] -= t * pq;
        a[q][q] += t * pq;
        a[p][q] = 0;
        a[q][p] = 0;
    }

    private static SymmetricEigen sorted(double[][] a, double[][] v) {
        int n = a.length;
        double[] values = new double[n];
        double[][] vectors = new double[n][];
        boolean[] taken = new boolean[n];
        for (int k = 0; k < n; k++) {
            int best = -1;
            for (int i = 0; i < n; i++) {
                if (!taken[i] && (best < 0 || a[i][i] > a[best][best])) {
                    best = i;
                }
            }
            taken[best] = true;
            values[k] = a[best][best];
            vectors[k] = signed(v[best]);
        }
        return new SymmetricEigen(values, vectors);
    }

    private static double[] signed(double[] vector) {
        int largest = 0;
        for (int i = 1; i < vector.length; i++) {
            if (Math.abs(vector[i]) > Math.abs(vector[largest])) {
                largest = i;
            }
        }
        if (vector.length > 0 && vector[largest] < 0) {
            for (int i = 0; i < vector.length; i++) {
                vector[i] = -vector[i];
            }
        }
        return vector;
    }
}
