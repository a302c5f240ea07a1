package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.SumMessage.Closing;
import dev.levee.operators.rounds.securesum.SumMessage.Reveal;
import dev.levee.operators.rounds.securesum.SumMessage.Told;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The stage of a device that has revealed one share for each neighbor. */
record DeviceRevealed(Closing closing, Reveal reveal) implements DeviceStage {
    static DeviceRevealed of(DeviceMasked before, Closing closing) {
        int id = before.before().own().id();
        SumSetup setup = before.before().setup();
        Set<Integer> stayed = new HashSet<>(closing.stayed());
        if (stayed.size() != closing.stayed().size()
                || !stayed.stream().allMatch(setup::has)
                || !stayed.contains(id)) {
            throw new IllegalArgumentException(
                    "device %d is not among those that the server has heard".formatted(id));
        }
        if (stayed.size() < setup.plan().fewest()) {
            throw new IllegalArgumentException(
                    "device %d takes part in sums of at least %d devices, and %d have stayed"
                            .formatted(id, setup.plan().fewest(), stayed.size()));
        }
        List<Told> told = new ArrayList<>();
        before.held()
                .forEach(
                        (owner, shares) ->
                                told.add(
                                        new Told(
                                                owner,
                                                shares.get(Secret.of(stayed.contains(owner))))));
        List<Integer> unreadable =
                before.dealers().stream().filter(d -> !before.held().containsKey(d)).toList();
        return new DeviceRevealed(closing, new Reveal(id, told, unreadable));
    }

    @Override
    public DeviceStage hear(SumMessage message) {
        if (message.equals(closing)) {
            return this;
        }
        throw DeviceStage.unexpected(reveal.device(), message);
    }
}
