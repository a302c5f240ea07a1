package dev.levee.estimation.internal;

import dev.levee.estimation.learner.Learner;
import dev.levee.estimation.learner.LearnerProvider;
import dev.levee.estimation.learner.Parameters;
import dev.levee.estimation.learner.Predictor;

import java.util.Arrays;

/**
 * Creates the learner {@code logistic}: logistic regression with an intercept and no penalty. It
 * maximizes the likelihood, up to rounding, by Fisher scoring (iteratively reweighted least
 * squares; McCullagh and Nelder, Generalized Linear Models, 2nd ed., section 2.5).
 */
public final class LogisticProvider implements LearnerProvider {
    private static final double TOLERANCE = 1e-12;

    /** Bound of logits. Beyond it, the probability is 0 or 1 except for the last few bits. */
    private static final double FARTHEST = 30;

    @Override
    public String name() {
        return "logistic";
    }

    @Override
    public Learner create(Parameters parameters) {
        int iterations =
                parameters.only("iterations").whole("iterations", 50, 1, Integer.MAX_VALUE);
        return (features, target, seed) -> fit(features, target, iterations);
    }

    private static Predictor fit(double[][] features, double[] target, int iterations) {
        for (double each : target) {
            if (each != 0 && each != 1) {
                throw new IllegalArgumentException(
                        "the learner logistic needs a target of 0 and 1, got " + each);
            }
        }
        int n = target.length;
        double[] logits = new double[n];
        double[] weights = new double[n];
        double[] working = new double[n];
        LeastSquares model = null;
        double before = Double.POSITIVE_INFINITY;
        for (int iteration = 0; iteration < iterations; iteration++) {
            for (int i = 0; i < n; i++) {
                double probability = probability(logits[i]);
                weights[i] = probability * (1 - probability);
                working[i] = logits[i] + (target[i] - probability) / weights[i];
            }
            model = LeastSquares.fit(features, working, weights);
            logits = model.predict(features);
            double deviance = deviance(logits, target);
            if (Math.abs(before - deviance) <= TOLERANCE * (Math.abs(deviance) + TOLERANCE)) {
                break;
            }
            before = deviance;
            // If classes are separable, the maximum is at infinity, and iterations end at the
            // bound.
            logits = Arrays.stream(logits).map(LogisticProvider::bounded).toArray();
        }
        LeastSquares fitted = model;
        return rows ->
                Arrays.stream(fitted.predict(rows)).map(LogisticProvider::probability).toArray();
    }

    private static double bounded(double logit) {
        return Math.max(-FARTHEST, Math.min(FARTHEST, logit));
    }

    private static double probability(double logit) {
        return 1 / (1 + Math.exp(-bounded(logit)));
    }

    private static double deviance(double[] logits, double[] target) {
        double sum = 0;
        for (int i = 0; i < target.length; i++) {
            double signed = target[i] == 1 ? logits[i] : -logits[i];
            sum += 2 * Math.log1p(Math.exp(-bounded(signed)));
        }
        return sum;
    }
}
