package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.SumMessage.Roster;

/** The stage of a device that has announced its keys. */
record DeviceAnnounced(DeviceKeys own) implements DeviceStage {
    @Override
    public DeviceStage hear(SumMessage message) {
        if (message instanceof Roster roster) {
            return DeviceSharing.of(own, roster);
        }
        throw DeviceStage.unexpected(own.id(), message);
    }
}
