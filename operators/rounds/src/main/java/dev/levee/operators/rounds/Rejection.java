package dev.levee.operators.rounds;

/** Why a gradient did not take part. */
public enum Rejection {
    /** Its round had closed. */
    LATE,
    /** The worker had sent another gradient for the same round and block, or a newer one. */
    DUPLICATE,
    /** Its round is so old that nothing is remembered of it, or has not begun. */
    STALE,
    /** It contains NaN or infinity. */
    NON_FINITE,
    /** A block has the wrong length, number, encoding or weight. */
    WRONG_SIZE,
    /** The sender is not a worker of this run. */
    UNKNOWN_WORKER,
    /** It had not arrived when a synchronous round timed out. */
    MISSING,
    /** The record is no gradient in the wire format, or has been altered on its way. */
    MALFORMED,
    /** It belongs to another run, such as yesterday's. */
    FOREIGN_RUN,
    /** The worker it names did not make it. */
    FORGED,
    /** The worker signed two different blocks for one place in one round. */
    CONTRADICTORY,
    /** Checking records that name this worker has used up its share of time. */
    THROTTLED,
    /** The sender does not take part in the round. */
    NOT_ASKED,
    /** The rule refused it by its score on the server's own data. */
    LOW_SCORE,
    /** It would have been too old on arrival, so its worker was not asked to send it. */
    UNSENT,
    /** The device broke the rules of a secure sum, such as by telling shares that are wrong. */
    WRONG_SHARES;

    /** True if only a faulty worker causes it. */
    public boolean proof() {
        return this == NON_FINITE || this == WRONG_SIZE || this == CONTRADICTORY;
    }
}
