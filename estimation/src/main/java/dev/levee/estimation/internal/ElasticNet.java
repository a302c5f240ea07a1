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
}
