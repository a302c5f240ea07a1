package dev.levee.operators.rounds;

import java.io.Serializable;

/**
 * How the model of one version did on the test set.
 *
 * @param version number of rounds the model has been trained for
 * @param at when the evaluation ended, milliseconds since the epoch
 * @param loss mean test loss
 * @param accuracy share of test samples classified correctly, 0 to 1
 */
public record EvaluationReport(long version, long at, double loss, double accuracy)
        implements Serializable {
    /** Number of the stretch of so many rounds in which its version was made, −1 for version 0. */
    public long stretch(long rounds) {
        return Math.floorDiv(version - 1, rounds);
    }
}
