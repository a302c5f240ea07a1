package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.SumMessage.Dealt;
import dev.levee.operators.rounds.securesum.SumMessage.Delivery;
import dev.levee.operators.rounds.securesum.SumMessage.Sealed;
import dev.levee.operators.rounds.securesum.SumMessage.Shares;
import dev.levee.operators.rounds.securesum.crypto.Digest;
import dev.levee.operators.rounds.securesum.crypto.FieldBytes;
import dev.levee.operators.rounds.securesum.crypto.SealedBox;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;

/** Step 2: devices share their secrets with their neighbors. */
final class ServerSharing implements ServerStage {
    private static final int SEALED_LENGTH =
            Secret.values().length * FieldBytes.LENGTH + SealedBox.TAG_LENGTH;

    private final SumSetup setup;
    private final SortedSet<Integer> devices;
    private final Map<Integer, String> faults;
    private final TreeMap<Integer, Shares> shared = new TreeMap<>();

    ServerSharing(SumSetup setup, SortedSet<Integer> devices, Map<Integer, String> faults) {
        this.setup = setup;
        this.devices = devices;
        this.faults = faults;
    }

    @Override
    public boolean accept(SumMessage message) {
        if (!(message instanceof Shares shares)
                || !devices.contains(shares.device())
                || shared.containsKey(shares.device())
                || !Arrays.equals(shares.roster(), setup.context())) {
            return false;
        }
        int[] to = shares.shares().stream().mapToInt(Sealed::to).toArray();
        if (!Arrays.equals(to, setup.neighbors(shares.device()))
                || shares.seedDigest().length != Digest.LENGTH
                || !shares.shares().stream().allMatch(ServerSharing::wellFormed)) {
            faults.put(shares.device(), "has not shared its secrets with its neighbors");
            return false;
        }
        shared.put(shares.device(), shares);
        return true;
    }

    private static boolean wellFormed(Sealed shares) {
        return shares.sealed().length == SEALED_LENGTH
                && shares.keyDigest().length == Digest.LENGTH
                && shares.seedDigest().length == Digest.LENGTH;
    }

    @Override
    public boolean complete(Set<Integer> gone) {
        return devices.stream().allMatch(id -> shared.containsKey(id) || gone.contains(id));
    }

    @Override
    public ServerStage end(List<SumMessage> messages) {
        int fewest = setup.plan().fewest();
        if (shared.size() < fewest) {
            return ServerStage.tooFew(
                    "shared their secrets", shared.size(), devices.size(), fewest);
        }
        TreeMap<Integer, List<Dealt>> dealt = new TreeMap<>();
        shared.forEach(
                (from, shares) -> {
                    for (Sealed each : shares.shares()) {
                        dealt.computeIfAbsent(each.to(), to -> new ArrayList<>())
                                .add(new Dealt(from, each));
                    }
                });
        for (int device : shared.keySet()) {
            messages.add(new Delivery(device, dealt.getOrDefault(device, List.of())));
        }
        return new ServerCollecting(setup, shared, faults);
    }
}
