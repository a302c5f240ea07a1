package dev.levee.gar.internal;

/**
 * A symmetric tridiagonal matrix with the eigenvalues of a dense one.
 *
 * @param diagonal n entries
 * @param squares the squares of the n − 1 entries beside the diagonal
 */
record Tridiagonal(double[] diagonal, double[] squares) {
    /** Householder's reduction of a full symmetric matrix, which is overwritten. */
    static Tridiagonal of(double[][] a) {
        int n = a.length;
        double[] squares = new double[Math.max(0, n - 1)];
        double[] w = new double[n];
        for (int k = 0; k + 1 < n; k++) {
            double[] v = a[k];
            double below = 0;
            for (int i = k + 2; i < n; i++) {
                below += v[i] * v[i];
            }
            double norm2 = below + v[k + 1] * v[k + 1];
            squares[k] = norm2;
            if (below == 0) {
                continue;
            }
            // The mirror's normal: the row's tail plus its norm on the first entry, sign kept.
            v[k + 1] += Math.copySign(Math.sqrt(norm2), v[k + 1]);
            double length2 = below + v[k + 1] * v[k + 1];
            reflect(a, v, k + 1, 2 / length2, w);
        }
        double[] diagonal = new double[n];
        for (int i = 0; i < n; i++) {
            diagonal[i] = a[i][i];
        }
        return new Tridiagonal(diagonal, squares);
    }

    /** A ← H·A·H on the rows and columns from {@code from}, H = I − β·v·vᵀ. */
    private static void reflect(double[][] a, double[] v, int from, double beta, double[] w) {
        int n = a.length;
        double vw = 0;
        for (int i = from; i < n; i++) {
            double sum = 0;
            for (int j = from; j < n; j++) {
                sum += a[i][j] * v[j];
            }
            w[i] = beta * sum;
            vw += v[i] * w[i];
        }
        for (int i = from; i < n; i++) {
            w[i] -= beta / 2 * vw * v[i];
        }
        for (int i = from; i < n; i++) {
            double[] row = a[i];
            for (int j = from; j < n; j++) {
                row[j] -= v[i] * w[j] + w[i] * v[j];
            }
        }
    }

    /** The largest eigenvalue, to the last bits relative to the largest magnitude of all. */
    double largest() {
        int n = diagonal.length;
        double low = diagonal[0];
        double high = low;
        for (int i = 0; i < n; i++) {
            double radius =
                    (i > 0 ? Math.sqrt(squares[i - 1]) : 0)
                            + (i + 1 < n ? Math.sqrt(squares[i]) : 0);
            low = Math.max(low, diagonal[i]);
            high = Math.max(high, diagonal[i] + radius);
        }
        double least = Math.max(Math.abs(low), Math.abs(high)) * 0x1p-52;
        while (high - low > least) {
            double middle = low + (high - low) / 2;
            if (exceeds(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** True if an eigenvalue is above x: then a pivot of x·I − T is not positive. */
    private boolean exceeds(double x) {
        double pivot = x - diagonal[0];
        for (int i = 1; i < diagonal.length; i++) {
            if (!(pivot > 0)) {
                return true;
            }
            pivot = x - diagonal[i] - squares[i - 1] / pivot;
        }
        return !(pivot > 0);
    }
}
