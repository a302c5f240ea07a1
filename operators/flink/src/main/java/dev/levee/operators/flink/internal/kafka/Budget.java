package dev.levee.operators.flink.internal.kafka;

/**
 * Processor time that a worker may use: a share of the passing time is added, up to a capacity, and
 * the cost of its records is subtracted. One record may overdraw it, because its cost is known only
 * afterwards.
 */
final class Budget {
    private final double share;
    private final long capacity;
    private double left;
    private long filledAt;

    /**
     * A full budget.
     *
     * @param share of all time that it grants
     * @param capacity most that it holds, nanoseconds
     */
    Budget(double share, long capacity, long now) {
        this.share = share;
        this.capacity = capacity;
        this.left = capacity;
        this.filledAt = now;
    }

    /** True if anything is left. */
    boolean allows(long now) {
        left = Math.min(capacity, left + share * (now - filledAt));
        filledAt = now;
        return left > 0;
    }

    /** Takes out what something has cost, nanoseconds. */
    void spend(long nanos) {
        left -= nanos;
    }
}
