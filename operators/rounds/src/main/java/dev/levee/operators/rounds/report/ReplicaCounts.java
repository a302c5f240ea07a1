package dev.levee.operators.rounds.report;

import java.io.Serializable;
import java.util.List;
import java.util.stream.Stream;

/**
 * Counts of a replica's updates, and when it took over from the primary. Blocks are counted one by
 * one.
 *
 * @param updates updates of blocks of the primary
 * @param sent how many of them were sent to the replica, at least in part
 * @param bytes bytes that the replica received
 * @param fullBytes bytes that it would have received if every update had been sent in full
 * @param takeovers the replica's takeovers from the primary, in order
 */
public record ReplicaCounts(
        long updates, long sent, long bytes, long fullBytes, List<ReplicaFailover> takeovers)
        implements Serializable {
    /** Counts before any update. */
    public static final ReplicaCounts NONE = new ReplicaCounts(0, 0, 0, 0, List.of());

    /** Copies the list. */
    public ReplicaCounts {
        takeovers = List.copyOf(takeovers);
    }

    /** Adds the primary's update of a block. */
    public ReplicaCounts updated(long blockBytes) {
        return new ReplicaCounts(updates + 1, sent, bytes, fullBytes + blockBytes, takeovers);
    }

    /** Adds bytes of a block that the replica has received. */
    public ReplicaCounts copied(long moreBytes) {
        return new ReplicaCounts(updates, sent + 1, bytes + moreBytes, fullBytes, takeovers);
    }

    /** Adds a takeover from the primary. */
    public ReplicaCounts and(ReplicaFailover takeover) {
        return new ReplicaCounts(
                updates,
                sent,
                bytes,
                fullBytes,
                Stream.concat(takeovers.stream(), Stream.of(takeover)).toList());
    }
}
