package dev.levee.operators.rounds.transfer;

import dev.levee.operators.rounds.transfer.TransferScheduler.Update;

import java.util.ArrayList;
import java.util.List;

/**
 * Updates that are sent and applied together, from the moment when they are asked for until they
 * are applied: one that is sent directly, or a group that a host adds up. The scheduler writes to
 * it.
 */
final class Granted {
    /** Stages of an update's way. */
    enum Stage {
        /** On their way to the host that adds them up. */
        GATHERING,
        /** There, but the server's link is busy. */
        READY,
        /** On their way to the server. */
        SENDING,
        /** At the server. */
        ARRIVED
    }

    final List<Update> updates;

    /** The host that sends the updates to the server. */
    final int host;

    Stage stage = Stage.GATHERING;

    /** When they began to be sent to the server, and the expected rate, bytes a second. */
    double since;

    double rate;

    /** When all are expected to be at the host that adds them up, and how many are not. */
    double collected;

    int missing;

    /** Updates that have just been asked for. */
    Granted(List<Update> updates, int host) {
        this.updates = new ArrayList<>(updates);
        this.host = host;
    }

    /** Version of the oldest. */
    long oldest() {
        return updates.stream().mapToLong(Update::version).min().orElseThrow();
    }

    /** Bytes of one of them, or of their sum. */
    long bytes() {
        return updates.stream().mapToLong(Update::bytes).max().orElseThrow();
    }

    /** True if others may be added to them. */
    boolean gathers() {
        return stage == Stage.GATHERING || stage == Stage.READY;
    }
}
