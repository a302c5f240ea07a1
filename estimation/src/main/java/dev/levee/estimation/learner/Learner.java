package dev.levee.estimation.learner;

/**
 * Fits a regression: an estimate of E[target | features]. For a target of zeros and ones that is a
 * probability. Implementations are immutable and may fit on several threads at the same time.
 */
@FunctionalInterface
public interface Learner extends AutoCloseable {
    /**
     * Fits a model. The same arguments give the same model, bit for bit.
     *
     * @param features n rows of p finite numbers; not changed by anybody
     * @param target n finite numbers; not changed by anybody
     * @param seed the seed of all randomness
     * @throws IllegalArgumentException if the learner cannot fit such a target; one sentence
     */
    Predictor fit(double[][] features, double[] target, long seed);

    /**
     * Finds out whether it can fit on this machine, before anything is fitted.
     *
     * @throws IllegalArgumentException if not; one sentence
     */
    default void check() {
        // Most need only this process.
    }

    /** Ends the processes that it has started; running fits fail. */
    @Override
    default void close() {
        // Most start nothing.
    }
}
