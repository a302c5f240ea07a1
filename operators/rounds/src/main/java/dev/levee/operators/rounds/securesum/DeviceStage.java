package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.SumMessage.Reveal;
import dev.levee.operators.rounds.securesum.SumMessage.Row;
import dev.levee.operators.rounds.securesum.SumMessage.Shares;

/** A device's stage in a sum. Immutable; a message leads to the next stage. */
sealed interface DeviceStage permits DeviceAnnounced, DeviceSharing, DeviceMasked, DeviceRevealed {
    /**
     * The stage after a message; this stage if it has already answered the same message.
     *
     * @throws IllegalArgumentException if the device does not answer the message; one sentence
     */
    DeviceStage hear(SumMessage message);

    default Shares shares() {
        throw new IllegalStateException("not yet");
    }

    default Row row(int[] values) {
        throw new IllegalStateException("not yet");
    }

    default Reveal reveal() {
        throw new IllegalStateException("not yet");
    }

    /** Refuses a message. */
    static IllegalArgumentException unexpected(int id, SumMessage message) {
        return new IllegalArgumentException(
                "device %d does not answer %s now: it has answered another, or the ones before have"
                                .formatted(id, message.getClass().getSimpleName())
                        + " not come");
    }
}
