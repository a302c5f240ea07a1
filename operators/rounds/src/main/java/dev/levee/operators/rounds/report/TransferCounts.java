package dev.levee.operators.rounds.report;

import java.io.Serializable;

/**
 * Counts of contributions that were announced before they were sent.
 *
 * @param announced number of announced contributions
 * @param deferred number of those that were not requested at once
 * @param dropped number of those that were never requested, because they would have been too old
 */
public record TransferCounts(long announced, long deferred, long dropped) implements Serializable {
    /** Counts of a run without announcements. */
    public static final TransferCounts NONE = new TransferCounts(0, 0, 0);

    /** The sum of these and other counts. */
    public TransferCounts plus(long moreAnnounced, long moreDeferred, long moreDropped) {
        return new TransferCounts(
                announced + moreAnnounced, deferred + moreDeferred, dropped + moreDropped);
    }
}
