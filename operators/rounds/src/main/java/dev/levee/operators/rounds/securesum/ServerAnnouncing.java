package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.SumMessage.Keys;
import dev.levee.operators.rounds.securesum.SumMessage.Roster;
import dev.levee.operators.rounds.securesum.crypto.ExchangeKey;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;

/** Step 1: devices announce keys. */
final class ServerAnnouncing implements ServerStage {
    /** A key to test public keys: agreement with a weak public key fails for any key. */
    private static final ExchangeKey ANY = ExchangeKey.ofRandom(new byte[ExchangeKey.LENGTH]);

    private final SumTask task;
    private final SortedSet<Integer> asked;
    private final Map<Integer, String> faults;
    private final TreeMap<Integer, Keys> announced = new TreeMap<>();

    ServerAnnouncing(SumTask task, SortedSet<Integer> asked, Map<Integer, String> faults) {
        this.task = task;
        this.asked = asked;
        this.faults = faults;
    }

    @Override
    public boolean accept(SumMessage message) {
        if (!(message instanceof Keys keys)
                || !asked.contains(keys.device())
                || announced.containsKey(keys.device())) {
            return false;
        }
        if (ANY.shared(keys.maskKey()).isEmpty() || ANY.shared(keys.channelKey()).isEmpty()) {
            faults.put(keys.device(), "announced a key that is not secure");
            return false;
        }
        announced.put(keys.device(), keys);
        return true;
    }

    @Override
    public boolean complete(Set<Integer> gone) {
        return asked.stream().allMatch(id -> announced.containsKey(id) || gone.contains(id));
    }

    @Override
    public ServerStage end(List<SumMessage> messages) {
        int fewest = task.rates().fewest(task.asked());
        if (announced.size() < fewest) {
            return ServerStage.tooFew("announced keys", announced.size(), asked.size(), fewest);
        }
        Roster roster = new Roster(task.run(), task.round(), List.copyOf(announced.values()));
        SumSetup setup;
        try {
            setup = new SumSetup(task, roster);
        } catch (IllegalArgumentException e) {
            return ServerStage.refused(e.getMessage());
        }
        messages.add(roster);
        return new ServerSharing(setup, announced.navigableKeySet(), faults);
    }
}
