package dev.levee.operators.rounds.securesum;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A server's stage in a sum. */
sealed interface ServerStage
        permits ServerAnnouncing,
                ServerSharing,
                ServerCollecting,
                ServerUnmasking,
                ServerStage.Ended {
    /** Takes a message; false if it changes nothing. */
    boolean accept(SumMessage message);

    /**
     * True if it waits for no more devices.
     *
     * @param gone devices that will not answer any more
     */
    boolean complete(Set<Integer> gone);

    /**
     * The next stage.
     *
     * @param messages for devices are added here
     */
    ServerStage end(List<SumMessage> messages);

    /** The outcome of the sum, empty if it continues. */
    default Optional<SumOutcome> outcome() {
        return Optional.empty();
    }

    /** The stage after too few have answered. */
    static ServerStage tooFew(String what, int came, int asked, int needed) {
        return refused(
                "%d of %d devices %s, and the sum needs %d".formatted(came, asked, what, needed));
    }

    /** The stage of a sum that has been refused. */
    static ServerStage refused(String why) {
        return new Ended(new SumOutcome.Refused(why));
    }

    /** The last stage. */
    record Ended(SumOutcome how) implements ServerStage {
        @Override
        public boolean accept(SumMessage message) {
            return false;
        }

        @Override
        public boolean complete(Set<Integer> gone) {
            return true;
        }

        @Override
        public ServerStage end(List<SumMessage> messages) {
            return this;
        }

        @Override
        public Optional<SumOutcome> outcome() {
            return Optional.of(how);
        }
    }
}
