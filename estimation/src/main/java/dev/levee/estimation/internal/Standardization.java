package dev.levee.estimation.internal;

/**
 * Means and standard deviations of columns.
 *
 * @param means the mean of each column
 * @param deviations the standard deviation of each column; 0 for a constant column, whose values
 *     become zeros
 */
record Standardization(double[] means, double[] deviations) {
    static Standardization of(double[][] rows) {
        int p = rows[0].length;
        double[] means = new double[p];
        double[] deviations = new double[p];
        for (double[] row : rows) {
            for (int j = 0; j < p; j++) {
                means[j] += row[j] / rows.length;
            }
        }
        for (double[] row : rows) {
            for (int j = 0; j < p; j++) {
                deviations[j] += (row[j] - means[j]) * (row[j] - means[j]) / rows.length;
            }
        }
        for (int j = 0; j < p; j++) {
            double deviation = Math.sqrt(deviations[j]);
            deviations[j] = deviation <= 1e-13 * Math.abs(means[j]) ? 0 : deviation;
        }
        return new Standardization(means, deviations);
    }

    double[][] apply(double[][] rows) {
        double[][] scaled = new double[rows.length][means.length];
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < means.length; j++) {
                scaled[i][j] = deviations[j] == 0 ? 0 : (rows[i][j] - means[j]) / deviations[j];
            }
        }
        return scaled;
    }
}
