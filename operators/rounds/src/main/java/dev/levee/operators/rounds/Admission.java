package dev.levee.operators.rounds;

import static dev.levee.operators.rounds.WrongTrainingException.require;

import java.io.Serializable;
import java.time.Duration;

/**
 * What becomes a row, and when a round closes.
 *
 * @param quorum number of complete contributions that close a round, q; as many as take part for
 *     synchronous rounds
 * @param timeout how long a round waits for missing contributions, null for ever
 * @param nonFinite what happens to contributions that contain NaN or infinity
 * @param rowsHeld most rows that a shard keeps for a rule that only averages; those of a larger
 *     cohort are added up as they come
 */
public record Admission(int quorum, Duration timeout, NonFinite nonFinite, int rowsHeld)
        implements Serializable {
    /** Rows held by default: as many take little memory, and are summed fastest together. */
    public static final int ROWS_HELD = 64;

    /** What happens to contributions that contain NaN or infinity. */
    public enum NonFinite {
        /** The contribution is a proven fault of its worker in this round. */
        REJECT,
        /** The contribution takes part like any other; the rule has to cope. */
        KEEP
    }

    /**
     * Checks the numbers.
     *
     * @throws WrongTrainingException if one makes no sense; one sentence
     */
    public Admission {
        require(quorum >= 1, "{quorum} must be at least 1, got %s", quorum);
        require(
                timeout == null || !timeout.isNegative() && !timeout.isZero(),
                "{roundTimeout} must be above 0, got %s",
                timeout);
        require(nonFinite != null, "{nonFinite} must be REJECT or KEEP, got null");
        require(rowsHeld >= 0, "{rowsHeld} must not be negative, got %s", rowsHeld);
    }
}
