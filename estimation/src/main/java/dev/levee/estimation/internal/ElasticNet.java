package dev.levee.estimation.internal;

import dev.levee.estimation.learner.Learner;
import dev.levee.estimation.learner.Predictor;

import org.tribuo.regression.slm.ElasticNetCDTrainer;

import java.util.Arrays;

/**
 * Tribuo's elastic net by coordinate descent (Friedman, Hastie, Tibshirani 2010). It minimizes ‖y −
 * Xβ‖²/(2n) + α(r‖β‖₁ + (1 − r)‖β‖²/2) over columns that are centered and scaled to a standard
 * deviation of one, so the penalty does not depend on units.
 *
 * @param alpha the penalty α
 * @param ratio the share r of the penalty on absolute values
 */
record ElasticNet(double alpha, double ratio) implements Learner {
    private static final double TOLERANCE = 1e-7;
    private static final int ITERATIONS = 2_000;

    @Override
    public Predictor fit(double[][] features, double[] target, long seed) {
        Standardization columns = Standardization.of(features);
        double mean = Arrays.stream(target).average().orElse(0);
        double[] centered = Arrays.stream(target).map(each -> each - mean).toArray();
        Predictor fitted =
                Tribuo.fit(
                        new ElasticNetCDTrainer(alpha, ratio, TOLERANCE, ITERATIONS, false, seed),
                        columns.apply(features),
                        centered);
        return rows ->
                Arrays.stream(fitted.predict(columns.apply(rows)))
                        .map(each -> each + mean)
                        .toArray();
    }

    /**
     * Means and standard deviations of columns.
     *
     * @param means the mean of each column
     * @param deviations the standard deviation of each column; 0 for a constant column, whose
     *     values become zeros
     */
    private record Standardization(double[] means, double[] deviations) {
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
}
