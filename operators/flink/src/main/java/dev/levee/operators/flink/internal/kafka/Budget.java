package dev.levee.operators.flink.internal.kafka;

/**
 * A token bucket of processor time that a worker may use. It fills with a share of the elapsed
 * time, up to a capacity, and the cost of records is subtracted. One record may overdraw it,
 * because its cost is known only afterward.
 */
final class Budget {
    private final double share;
    private final long capacity;
    private double left;
    private long filledAt;

    /**
     * Creates a full budget.
     *
     * @param share share of the elapsed time that it grants
     * @param capacity its capacity in nanoseconds
     */
    Budget(double share, long capacity, long now) {
        this.share = share;
        this.capacity = capacity;
        this.left = capacity;
        this.filledAt = now;
    }

    /** True if time is left. */
    boolean allows(long now) {
        left = Math.min(capacity, left + share * (now - filledAt));
        filledAt = now;
        return left > 0;
    }

    /** Subtracts a cost in nanoseconds. */
    void spend(long nanos) {
        left -= nanos;
    }
}
