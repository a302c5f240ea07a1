package dev.levee.gar.internal.eigen;

/**
 * Computes the largest eigenvalue of a small symmetric matrix by Householder's tridiagonal form and
 * bisection with Sturm's sequence (Golub, Van Loan, "Matrix Computations", sections 8.3 and 8.4).
 * It is several times faster than a whole decomposition and gives the same bits on every machine.
 */
public final class LargestEigenvalue {
    private LargestEigenvalue() {}

    /**
     * The largest eigenvalue, to the last digits of a double.
     *
     * @param a n ≥ 1 rows of at least n finite numbers, symmetric; overwritten
     * @param n order of the matrix
     */
    public static double of(double[][] a, int n) {
        double[] diagonal = new double[n];
        double[] beside = new double[n];
        tridiagonal(a, n, diagonal, beside);
        return ofTridiagonal(diagonal, beside, n);
    }

    /**
     * The largest eigenvalue of a tridiagonal matrix.
     *
     * @param diagonal the matrix's diagonal
     * @param beside the matrix's off-diagonal, one shorter
     * @param n order of the matrix; both arrays may be longer
     */
    static double ofTridiagonal(double[] diagonal, double[] beside, int n) {
        double low = Double.NEGATIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < n; i++) {
            double left = i > 0 ? Math.abs(beside[i - 1]) : 0;
            double right = i < n - 1 ? Math.abs(beside[i]) : 0;
            low = Math.max(low, diagonal[i]);
            high = Math.max(high, diagonal[i] + left + right);
        }
        while (true) {
            double middle = low + (high - low) / 2;
            if (middle <= low || middle >= high) {
                return low;
            }
            if (anyAbove(diagonal, beside, n, middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
    }

    private static void tridiagonal(double[][] a, int n, double[] diagonal, double[] beside) {
        double[] v = new double[n];
        double[] p = new double[n];
        for (int k = 0; k < n - 2; k++) {
            double sum = 0;
            for (int i = k + 1; i < n; i++) {
                sum += a[i][k] * a[i][k];
            }
            double norm = Math.sqrt(sum);
            double first = a[k + 1][k];
            beside[k] = first >= 0 ? -norm : norm;
            double scale = sum + norm * Math.abs(first); // half of vᵀv
            if (scale > 0) {
                for (int i = k + 1; i < n; i++) {
                    v[i] = a[i][k];
                }
                v[k + 1] -= beside[k];
                reflect(a, n, k + 1, v, p, scale);
            }
        }
        for (int i = 0; i < n; i++) {
            diagonal[i] = a[i][i];
        }
        if (n > 1) {
            beside[n - 2] = a[n - 1][n - 2];
        }
    }

    /** A ← H·A·H with H = 1 − v·vᵀ/scale, on rows and columns from {@code from}. */
    private static void reflect(
            double[][] a, int n, int from, double[] v, double[] p, double scale) {
        double along = 0;
        for (int i = from; i < n; i++) {
            double sum = 0;
            for (int j = from; j < n; j++) {
                sum += a[i][j] * v[j];
            }
            p[i] = sum / scale;
            along += p[i] * v[i];
        }
        double half = along / (2 * scale);
        for (int i = from; i < n; i++) {
            p[i] -= half * v[i];
        }
        for (int i = from; i < n; i++) {
            for (int j = from; j < n; j++) {
                a[i][j] -= v[i] * p[j] + p[i] * v[j];
            }
        }
    }

    /** True if some eigenvalue is above {@code x}. In that case, a pivot of T − x is positive. */
    private static boolean anyAbove(double[] diagonal, double[] beside, int n, double x) {
        double pivot = 1;
        for (int i = 0; i < n; i++) {
            double off = i > 0 ? beside[i - 1] * beside[i - 1] : 0;
            pivot = diagonal[i] - x - (off == 0 ? 0 : off / pivot);
            if (pivot > 0) {
                return true;
            }
            if (pivot == 0) {
                pivot = -Double.MIN_NORMAL;
            }
        }
        return false;
    }
}
