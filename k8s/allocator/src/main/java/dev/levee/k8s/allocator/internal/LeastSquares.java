package dev.levee.k8s.allocator.internal;

/** Solves linear least squares for a few parameters, by the normal equations of scaled columns. */
final class LeastSquares {
    private static final double SINGULAR = 1e-9;

    private LeastSquares() {}

    /**
     * The coefficients that minimize Σ (rowᵀ·x − value)².
     *
     * @param rows one row per observation, all of the same length
     * @return null if the rows do not determine the coefficients
     */
    static double[] solve(double[][] rows, double[] values) {
        int unknowns = rows[0].length;
        if (rows.length < unknowns) {
            return null;
        }
        double[] scale = new double[unknowns];
        for (double[] row : rows) {
            for (int c = 0; c < unknowns; c++) {
                scale[c] += row[c] * row[c];
            }
        }
        for (int c = 0; c < unknowns; c++) {
            scale[c] = scale[c] > 0 ? Math.sqrt(scale[c]) : 1;
        }
        double[][] system = new double[unknowns][unknowns + 1];
        for (int i = 0; i < rows.length; i++) {
            for (int r = 0; r < unknowns; r++) {
                double factor = rows[i][r] / scale[r];
                for (int c = 0; c < unknowns; c++) {
                    system[r][c] += factor * rows[i][c] / scale[c];
                }
                system[r][unknowns] += factor * values[i];
            }
        }
        if (!eliminate(system)) {
            return null;
        }
        double[] solution = new double[unknowns];
        for (int c = 0; c < unknowns; c++) {
            solution[c] = system[c][unknowns] / scale[c];
        }
        return solution;
    }

    /** Gauss-Jordan with pivoting; false if the system is singular. */
    private static boolean eliminate(double[][] system) {
        int size = system.length;
        for (int column = 0; column < size; column++) {
            int pivot = column;
            for (int r = column + 1; r < size; r++) {
                if (Math.abs(system[r][column]) > Math.abs(system[pivot][column])) {
                    pivot = r;
                }
            }
            double[] row = system[pivot];
            system[pivot] = system[column];
            system[column] = row;
            if (Math.abs(row[column]) < SINGULAR) {
                return false;
            }
            double divisor = row[column];
            for (int c = column; c <= size; c++) {
                row[c] /= divisor;
            }
            for (int r = 0; r < size; r++) {
                double factor = system[r][column];
                for (int c = column; r != column && c <= size; c++) {
                    system[r][c] -= factor * row[c];
                }
            }
        }
        return true;
    }
}
