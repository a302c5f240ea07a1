package dev.levee.operators.rounds;

import java.io.Serializable;
import java.util.List;
import java.util.stream.Stream;

/**
 * Counts of a replica's updates, and when it took over from the primary. Blocks are counted one by
 * one.
 *
 * @param updates updates of blocks of the primary
 * @param sent how many of them the replica got something of
 * @param bytes that it got
 * @param fullBytes that it would have got had each update been sent
 * @param takeovers when it continued in the primary's place, in order
 */
public record ReplicaCounts(
        long updates, long sent, long bytes, long fullBytes, List<StoodIn> takeovers)
        implements Serializable {
    /** Nothing has happened. */
    public static final ReplicaCounts NONE = new ReplicaCounts(0, 0, 0, 0, List.of());

    /** A copy of its own. */
    public ReplicaCounts {
        takeovers = List.copyOf(takeovers);
    }

    /** The primary has updated a block of so many bytes. */
    public ReplicaCounts updated(long blockBytes) {
        return new ReplicaCounts(updates + 1, sent, bytes, fullBytes + blockBytes, takeovers);
    }

    /** The replica has got so many bytes of a block. */
    public ReplicaCounts copied(long moreBytes) {
        return new ReplicaCounts(updates, sent + 1, bytes + moreBytes, fullBytes, takeovers);
    }

    /** The replica has gone on in the primary's place. */
    public ReplicaCounts and(StoodIn takeover) {
        return new ReplicaCounts(
                updates,
                sent,
                bytes,
                fullBytes,
                Stream.concat(takeovers.stream(), Stream.of(takeover)).toList());
    }
}
