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
    /** Handles a message; returns false if it changes nothing. */
    boolean accept(SumMessage message);

    /**
     * True if the step waits for no more devices.
     *
     * @param gone devices that will not answer anymore
     */
    boolean complete(Set<Integer> gone);

    /**
     * Ends the step and returns the next stage.
     *
     * @param messages messages for devices are added here
     */
    ServerStage end(List<SumMessage> messages);

    /** The outcome of the sum, empty if it continues. */
    default Optional<SumOutcome> outcome() {
        return Optional.empty();
    }

    /** The stage after a step that too few devices have answered. */
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
