package dev.levee.k8s.allocator;

import java.util.List;

/**
 * Shares a cluster among jobs. A function of its snapshot: the same snapshot gives the same
 * decisions, in another process too.
 *
 * <p>Each job of the snapshot gets exactly one decision, in the snapshot's order. Workers add up to
 * at most the snapshot's slots and are, for each job, 0 or within {@link JobView#least()} and
 * {@link JobView#most()}.
 */
public interface Policy {
    /** The name it is chosen by. */
    String name();

    /** Decides the shares of all jobs. */
    List<Decision> decide(Snapshot snapshot);

    /**
     * True if a job that finds room for its start workers on arrival, with nobody waiting, starts
     * at once instead of at the next decision.
     */
    default boolean startsOnArrival() {
        return true;
    }

    /**
     * True if it chooses batches by their worth, within {@link JobSpec#batches()} and from the
     * reference batch on. Its workers are then bounded by {@link JobView#mostAtAnyBatch()}.
     */
    default boolean choosesBatch() {
        return false;
    }

    /**
     * True if jobs should be packed: each into the fullest node that has room for the rest of its
     * workers, instead of onto the emptiest ones.
     */
    default boolean packs() {
        return false;
    }

    /** True if it decides by how long jobs still take, where that is known. */
    default boolean usesLengths() {
        return false;
    }

    /** False if a job always runs with the workers it asks for, or not at all. */
    default boolean elastic() {
        return true;
    }
}
