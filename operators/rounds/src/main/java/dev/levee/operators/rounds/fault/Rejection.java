package dev.levee.operators.rounds.fault;

/** The reason why a gradient was rejected. */
public enum Rejection {
    /** Its round had closed. */
    LATE,
    /** The worker had sent another gradient for the same round and block, or a newer one. */
    DUPLICATE,
    /** Its round is so old that it is no longer known, or has not begun. */
    STALE,
    /** It contains NaN or infinity. */
    NON_FINITE,
    /** A block has the wrong length, number, encoding or weight. */
    WRONG_SIZE,
    /** The sender is not a worker of this run. */
    UNKNOWN_WORKER,
    /** It had not arrived when a synchronous round timed out. */
    MISSING,
    /** The record is not a gradient in the wire format, or was altered in transit. */
    MALFORMED,
    /** It belongs to another run, such as an earlier one on the same topics. */
    FOREIGN_RUN,
    /** It was not signed by the worker that it names. */
    FORGED,
    /** The worker signed two different versions of one block in one round. */
    CONTRADICTORY,
    /** Checking this worker's records has used up the worker's share of time. */
    THROTTLED,
    /** The sender does not take part in the round. */
    NOT_ASKED,
    /** The rule refused it by its score on the server's own data. */
    LOW_SCORE,
    /** It would have been too old on arrival, so its worker was not asked to send it. */
    UNSENT,
    /** The device violated the protocol of a secure sum, for example by revealing wrong shares. */
    WRONG_SHARES;

    /** True if only a faulty worker can cause it. */
    public boolean proof() {
        return this == NON_FINITE || this == WRONG_SIZE || this == CONTRADICTORY;
    }
}
