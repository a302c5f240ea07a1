package dev.levee.operators.rounds;

import java.io.Serializable;
import java.time.Duration;

/**
 * What becomes a row, and when a round closes.
 *
 * @param quorum number of complete contributions that close a round, q; as many as take part for
 *     synchronous rounds
 * @param timeout how long a round waits for missing contributions after the first has come, null
 *     for ever; who has to answer and has not by then is at fault
 * @param deadline how long a round is open, null as long as it takes; it closes then with what has
 *     come, or as soon as that is enough for the rule, and who is missing is late
 * @param staleness versions that the model may have made since the one that a contribution answers;
 *     0 if only contributions to the open round's model count. What came too late for its round is
 *     then a row of the next, and a round takes one contribution of each sender
 * @param nonFinite what happens to contributions that contain NaN or infinity
 * @param rowsHeld most rows that a shard keeps for a rule that only averages; those of a larger
 *     cohort are added up as they come
 */
public record Admission(
        int quorum,
        Duration timeout,
        Duration deadline,
        int staleness,
        NonFinite nonFinite,
        int rowsHeld)
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
     * @throws IllegalArgumentException if one makes no sense; one sentence
     */
    public Admission {
        if (quorum < 1) {
            throw new IllegalArgumentException("quorum must be at least 1, got " + quorum);
        }
        checkAboveZero("round timeout", timeout);
        checkAboveZero("deadline", deadline);
        if (timeout != null && deadline != null) {
            throw new IllegalArgumentException(
                    "a round has a timeout, after which who is missing is at fault, or a deadline,"
                            + " after which it is late, not both: got "
                            + timeout
                            + " and "
                            + deadline);
        }
        if (staleness < 0) {
            throw new IllegalArgumentException("staleness must not be negative, got " + staleness);
        }
        if (rowsHeld < 0) {
            throw new IllegalArgumentException("rowsHeld must not be negative, got " + rowsHeld);
        }
    }

    private static void checkAboveZero(String what, Duration duration) {
        if (duration != null && (duration.isNegative() || duration.isZero())) {
            throw new IllegalArgumentException(what + " must be above 0, got " + duration);
        }
    }
}
