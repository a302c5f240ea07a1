package dev.levee.k8s.allocator;

import java.util.List;

/**
 * Shares a cluster among jobs. A policy is a pure function: the same snapshot gives the same
 * decisions, in any process.
 *
 * <p>Each job of the snapshot gets exactly one decision, in the snapshot's order. The sum of
 * workers is at most the snapshot's slots. Each job gets 0 workers, or a number from {@link
 * JobView#least()} to {@link JobView#most()}.
 */
public interface Policy {
    /** The name by which users choose the policy. */
    String name();

    /** Decides the shares of all jobs. */
    List<Decision> decide(Snapshot snapshot);

    /**
     * True if a job starts at once, instead of at the next decision, if there is room for its start
     * workers on arrival and no other job waits.
     */
    default boolean startsOnArrival() {
        return true;
    }

    /**
     * True if the policy chooses batches by their value, within {@link JobSpec#batches()} and at
     * least the reference batch. The maximum number of workers is then {@link
     * JobView#mostAtAnyBatch()}.
     */
    default boolean choosesBatch() {
        return false;
    }

    /**
     * True if jobs should be packed: each job goes to the fullest node that has room for the rest
     * of its workers, instead of the emptiest nodes.
     */
    default boolean packs() {
        return false;
    }

    /** True if decisions depend on the remaining times of jobs, as far as these are known. */
    default boolean usesLengths() {
        return false;
    }

    /** True if the longest wait of a job can be limited. */
    default boolean limitsWaits() {
        return false;
    }

    /** True if batches grow while utilization is below thresholds. */
    default boolean usesThresholds() {
        return false;
    }

    /** False if a job always runs with the workers it asks for, or not at all. */
    default boolean elastic() {
        return true;
    }
}
