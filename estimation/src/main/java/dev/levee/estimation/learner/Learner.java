package dev.levee.estimation.learner;

/**
 * Fits a regression: an estimate of E[target | features]. For a target of zeros and ones that is a
 * probability. Implementations are immutable and may fit on several threads at the same time.
 */
@FunctionalInterface
public interface Learner {
    /**
     * Fits a model. The same arguments give the same model, bit for bit.
     *
     * @param features n rows of p finite numbers; neither kept nor changed
     * @param target n finite numbers
     * @param seed of all randomness
     * @throws IllegalArgumentException if the learner cannot fit such a target; one sentence
     */
    Predictor fit(double[][] features, double[] target, long seed);
}
