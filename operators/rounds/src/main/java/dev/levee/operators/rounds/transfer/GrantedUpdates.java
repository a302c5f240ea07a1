package dev.levee.operators.rounds.transfer;

import dev.levee.operators.rounds.transfer.TransferScheduler.Update;

import java.util.ArrayList;
import java.util.List;

/**
 * Updates that were requested and not yet applied, and that are sent and applied together: one
 * update that is sent directly, or a group that a host adds up. The scheduler modifies it.
 */
final class GrantedUpdates {
    /** Stages of a transfer. */
    enum Stage {
        /** In transit to the host that adds them up. */
        GATHERING,
        /** Added up, but the server's link is busy. */
        READY,
        /** In transit to the server. */
        SENDING,
        /** At the server. */
        ARRIVED
    }

    final List<Update> updates;

    /** The host that sends the updates to the server. */
    final int host;

    Stage stage = Stage.GATHERING;

    /** When the transfer to the server began, and its expected rate in bytes per second. */
    double since;

    double rate;

    /** When all updates are expected at the host that adds them up, and how many are missing. */
    double collected;

    int missing;

    /** Creates the record of updates that have just been requested. */
    GrantedUpdates(List<Update> updates, int host) {
        this.updates = new ArrayList<>(updates);
        this.host = host;
    }

    /** Version of the oldest update. */
    long oldest() {
        return updates.stream().mapToLong(Update::version).min().orElseThrow();
    }

    /** Bytes of one update, or of their sum. */
    long bytes() {
        return updates.stream().mapToLong(Update::bytes).max().orElseThrow();
    }

    /** True if other updates may join. */
    boolean gathers() {
        return stage == Stage.GATHERING || stage == Stage.READY;
    }
}
