package dev.levee.operators;

/** Why a gradient did not take part. */
public enum Rejection {
    /** Its round had closed. */
    LATE,
    /** The worker had sent another gradient for the same round and block. */
    DUPLICATE,
    /** Its round is so old that nothing is remembered of it, or has not begun. */
    STALE,
    /** It contains NaN or infinity. */
    NON_FINITE,
    /** A block has the wrong length or number. */
    WRONG_SIZE,
    /** The sender is not a worker of this run. */
    UNKNOWN_WORKER,
    /** It had not arrived when a synchronous round timed out. */
    MISSING
}
