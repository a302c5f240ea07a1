package dev.levee.estimation.internal;

import java.util.Arrays;

/**
 * Ordinary least squares with an intercept, by Householder reflections with column pivoting (Golub
 * and Van Loan, Matrix Computations, 4th ed., algorithm 5.4.1). Columns are first centered and
 * scaled to length one, so that their magnitudes do not affect the conditioning. A column that
 * depends linearly on other columns gets the coefficient 0, as in R's lm. All sums run in index
 * order, so every machine gives the same bits.
 */
final class LeastSquares {
    /**
     * If the relative length of a column's remainder is below this, the column depends on earlier
     * columns.
     */
    private static final double TOLERANCE = 1e-11;

    private final double intercept;
    private final double[] coefficients;

    private LeastSquares(double intercept, double[] coefficients) {
        this.intercept = intercept;
        this.coefficients = coefficients;
    }

    /**
     * Fits by ordinary least squares.
     *
     * @param rows n rows of p numbers
     */
    static LeastSquares fit(double[][] rows, double[] target) {
        double[] weights = new double[target.length];
        Arrays.fill(weights, 1);
        return fit(rows, target, weights);
    }

    /**
     * Fits by weighted least squares.
     *
     * @param weights a positive weight for each row
     */
    static LeastSquares fit(double[][] rows, double[] target, double[] weights) {
        int n = target.length;
        int p = n == 0 ? 0 : rows[0].length;
        double total = 0;
        for (double weight : weights) {
            total += weight;
        }
        double[] means = new double[p];
        double meanTarget = 0;
        for (int i = 0; i < n; i++) {
            double share = weights[i] / total;
            meanTarget += share * target[i];
            for (int j = 0; j < p; j++) {
                means[j] += share * rows[i][j];
            }
        }
        double[][] columns = new double[p][n];
        double[] right = new double[n];
        double[] lengths = new double[p];
        for (int i = 0; i < n; i++) {
            double root = Math.sqrt(weights[i]);
            right[i] = root * (target[i] - meanTarget);
            for (int j = 0; j < p; j++) {
                columns[j][i] = root * (rows[i][j] - means[j]);
            }
        }
        for (int j = 0; j < p; j++) {
            lengths[j] = length(columns[j], 0);
            // Ignore a column that is constant except for rounding.
            boolean constant = lengths[j] <= 1e-13 * Math.abs(means[j]) * Math.sqrt(total);
            lengths[j] = constant ? 0 : lengths[j];
            for (int i = 0; i < n; i++) {
                columns[j][i] = lengths[j] == 0 ? 0 : columns[j][i] / lengths[j];
            }
        }
        double[] scaled = solve(columns, right);
        double intercept = meanTarget;
        for (int j = 0; j < p; j++) {
            scaled[j] = lengths[j] == 0 ? 0 : scaled[j] / lengths[j];
            intercept -= scaled[j] * means[j];
        }
        return new LeastSquares(intercept, scaled);
    }

    /** The least-squares solution; overwrites its arguments. */
    private static double[] solve(double[][] columns, double[] right) {
        int p = columns.length;
        int n = right.length;
        int[] order = new int[p];
        for (int j = 0; j < p; j++) {
            order[j] = j;
        }
        double[] diagonal = new double[p];
        int rank = 0;
        for (int k = 0; k < Math.min(p, n); k++) {
            int longest = k;
            double best = -1;
            for (int j = k; j < p; j++) {
                double length = length(columns[order[j]], k);
                if (length > best) {
                    best = length;
                    longest = j;
                }
            }
            if (best <= TOLERANCE) {
                break;
            }
            int held = order[k];
            order[k] = order[longest];
            order[longest] = held;
            double[] pivot = columns[order[k]];
            diagonal[k] = pivot[k] > 0 ? -best : best;
            pivot[k] -= diagonal[k];
            double square = 0;
            for (int i = k; i < n; i++) {
                square += pivot[i] * pivot[i];
            }
            for (int j = k + 1; j < p; j++) {
                reflect(pivot, square, columns[order[j]], k);
            }
            reflect(pivot, square, right, k);
            rank++;
        }
        double[] solution = new double[p];
        for (int k = rank - 1; k >= 0; k--) {
            double value = right[k];
            for (int j = k + 1; j < rank; j++) {
                value -= columns[order[j]][k] * solution[order[j]];
            }
            solution[order[k]] = value / diagonal[k];
        }
        return solution;
    }

    private static void reflect(double[] along, double square, double[] vector, int from) {
        double product = 0;
        for (int i = from; i < vector.length; i++) {
            product += along[i] * vector[i];
        }
        double factor = 2 * product / square;
        for (int i = from; i < vector.length; i++) {
            vector[i] -= factor * along[i];
        }
    }

    private static double length(double[] vector, int from) {
        double sum = 0;
        for (int i = from; i < vector.length; i++) {
            sum += vector[i] * vector[i];
        }
        return Math.sqrt(sum);
    }

    /** The fitted value for a row. */
    double predict(double[] row) {
        double value = intercept;
        for (int j = 0; j < coefficients.length; j++) {
            value += coefficients[j] * row[j];
        }
        return value;
    }

    /** The fitted values for rows. */
    double[] predict(double[][] rows) {
        double[] values = new double[rows.length];
        for (int i = 0; i < rows.length; i++) {
            values[i] = predict(rows[i]);
        }
        return values;
    }
}
