package dev.levee.operators.rounds;

import java.io.Serializable;

/**
 * Counts of contributions that were announced before they were sent.
 *
 * @param announced how many were
 * @param deferred those that were not asked for at once
 * @param dropped those that were not asked for, because they would have been too old
 */
public record TransferCounts(long announced, long deferred, long dropped) implements Serializable {
    /** Counts of a run without announcements. */
    public static final TransferCounts NONE = new TransferCounts(0, 0, 0);

    /** These together with others. */
    public TransferCounts plus(long moreAnnounced, long moreDeferred, long moreDropped) {
        return new TransferCounts(
                announced + moreAnnounced, deferred + moreDeferred, dropped + moreDropped);
    }
}
