package dev.levee.estimation;

/**
 * Combines repetitions by the median, as definition 3.3 of Chernozhukov et al. 2018 does, but with
 * variances of θ_m instead of √n·θ_m, so that the spread over repetitions counts in full.
 */
final class Aggregation {
    private Aggregation() {}

    /** √(median((θ_m − θ)² + se_m²)). */
    static double standardError(double theta, double[] thetas, double[] errors) {
        double[] squares = new double[thetas.length];
        for (int m = 0; m < squares.length; m++) {
            double off = thetas[m] - theta;
            squares[m] = off * off + errors[m] * errors[m];
        }
        return Math.sqrt(Quantiles.median(squares));
    }
}
