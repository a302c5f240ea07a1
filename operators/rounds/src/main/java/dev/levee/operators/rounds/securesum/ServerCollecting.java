package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.SumMessage.Added;
import dev.levee.operators.rounds.securesum.SumMessage.Closing;
import dev.levee.operators.rounds.securesum.SumMessage.Shares;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/** Step 3: devices send their values under masks. */
final class ServerCollecting implements ServerStage {
    private final SumSetup setup;
    private final SortedMap<Integer, Shares> shared;
    private final Map<Integer, String> faults;
    private final TreeSet<Integer> stayed = new TreeSet<>();

    ServerCollecting(
            SumSetup setup, SortedMap<Integer, Shares> shared, Map<Integer, String> faults) {
        this.setup = setup;
        this.shared = shared;
        this.faults = faults;
    }

    @Override
    public boolean accept(SumMessage message) {
        return message instanceof Added added
                && shared.containsKey(added.device())
                && stayed.add(added.device());
    }

    @Override
    public boolean complete(Set<Integer> gone) {
        return shared.keySet().stream().allMatch(id -> stayed.contains(id) || gone.contains(id));
    }

    @Override
    public ServerStage end(List<SumMessage> messages) {
        int fewest = setup.plan().fewest();
        if (stayed.size() < fewest) {
            return ServerStage.tooFew("sent values", stayed.size(), shared.size(), fewest);
        }
        messages.add(new Closing(List.copyOf(stayed)));
        return new ServerUnmasking(setup, shared, stayed, faults);
    }
}
