package dev.levee.gar.rules;

/**
 * The largest eigenvalue of a symmetric matrix and a unit vector of it, by cyclic Jacobi rotations
 * (Golub, Van Loan, "Matrix Computations", section 8.5): exact to rounding and deterministic, where
 * a power iteration depends on its start. Takes O(n³) steps for each of a few sweeps.
 *
 * @param value the eigenvalue
 * @param vector a unit vector of it
 */
record LeadingEigenvector(double value, double[] vector) {
    private static final int MOST_SWEEPS = 60;

    /** Off-diagonal entries below this share of the diagonal are zero. */
    private static final double NEGLIGIBLE = 1e-17;

    /** The one of a symmetric matrix with finite entries; changes the matrix. */
    static LeadingEigenvector of(double[][] a) {
        int n = a.length;
        double[][] vectors = new double[n][n];
        for (int i = 0; i < n; i++) {
            vectors[i][i] = 1;
        }
        boolean rotated = true;
        for (int sweep = 0; sweep < MOST_SWEEPS && rotated; sweep++) {
            rotated = false;
            for (int p = 0; p < n; p++) {
                for (int q = p + 1; q < n; q++) {
                    double scale = Math.sqrt(Math.abs(a[p][p])) * Math.sqrt(Math.abs(a[q][q]));
                    if (Math.abs(a[p][q]) > NEGLIGIBLE * scale) {
                        rotate(a, vectors, p, q);
                        rotated = true;
                    }
                }
            }
        }
        int best = 0;
        for (int i = 1; i < n; i++) {
            best = a[i][i] > a[best][best] ? i : best;
        }
        double[] vector = new double[n];
        for (int i = 0; i < n; i++) {
            vector[i] = vectors[i][best];
        }
        return new LeadingEigenvector(a[best][best], vector);
    }

    private static void rotate(double[][] a, double[][] vectors, int p, int q) {
        double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        double t = Math.copySign(1, theta) / (Math.abs(theta) + Math.hypot(theta, 1));
        double c = 1 / Math.sqrt(t * t + 1);
        double s = t * c;
        for (int k = 0; k < a.length; k++) {
            double akp = a[k][p];
            double akq = a[k][q];
            a[k][p] = c * akp - s * akq;
            a[k][q] = s * akp + c * akq;
        }
        for (int k = 0; k < a.length; k++) {
            double apk = a[p][k];
            double aqk = a[q][k];
            a[p][k] = c * apk - s * aqk;
            a[q][k] = s * apk + c * aqk;
        }
        a[p][q] = 0;
        a[q][p] = 0;
        for (double[] row : vectors) {
            double vp = row[p];
            double vq = row[q];
            row[p] = c * vp - s * vq;
            row[q] = s * vp + c * vq;
        }
    }
}
