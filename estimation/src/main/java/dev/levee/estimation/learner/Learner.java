package dev.levee.estimation.learner;

import java.util.concurrent.CancellationException;

/**
 * Fits a regression, which estimates E[target | features]. For a target of zeros and ones, this is
 * a probability. Implementations are immutable and may fit on several threads at the same time. A
 * learner whose fits take long calls {@link #requireRunning} between their steps.
 */
@FunctionalInterface
public interface Learner extends AutoCloseable {
    /**
     * Fits a model. The same arguments give the same model, bit for bit.
     *
     * @param features n rows of p finite numbers; nobody changes them
     * @param target n finite numbers; nobody changes them
     * @param seed the seed of all randomness
     * @throws IllegalArgumentException if the learner cannot fit such a target; one sentence
     */
    Predictor fit(double[][] features, double[] target, long seed);

    /**
     * Checks that the learner can fit on this machine, before anything is fitted.
     *
     * @throws IllegalArgumentException if it cannot; one sentence
     */
    default void check() {
        // Most learners need only this process.
    }

    /** Ends the processes that the learner has started. Running fits fail. */
    @Override
    default void close() {
        // Most learners start no processes.
    }

    /**
     * Ends a fit whose result is not needed anymore.
     *
     * @throws CancellationException if the thread is interrupted
     */
    static void requireRunning() {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("the fit was interrupted");
        }
    }
}
