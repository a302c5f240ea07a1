package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.SumMessage.Reveal;
import dev.levee.operators.rounds.securesum.SumMessage.Sealed;
import dev.levee.operators.rounds.securesum.SumMessage.Shares;
import dev.levee.operators.rounds.securesum.SumMessage.Told;
import dev.levee.operators.rounds.securesum.SumOutcome.Mask;
import dev.levee.operators.rounds.securesum.crypto.ExchangeKey;
import dev.levee.operators.rounds.securesum.crypto.Shamir;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * Step 4: devices reveal shares, from which the server reconstructs the secrets whose masks remain
 * on the sum.
 */
final class ServerUnmasking implements ServerStage {
    private final SumSetup setup;
    private final SortedMap<Integer, Shares> shared;
    private final SortedSet<Integer> stayed;
    private final Map<Integer, String> faults;
    private final Set<Integer> heard = new HashSet<>();

    /** By device whose masks remain on the sum: the shares of one of its secrets, by holder. */
    private final TreeMap<Integer, TreeMap<Integer, byte[]>> told = new TreeMap<>();

    private final Map<Integer, Integer> unreadable = new TreeMap<>();

    ServerUnmasking(
            SumSetup setup,
            SortedMap<Integer, Shares> shared,
            SortedSet<Integer> stayed,
            Map<Integer, String> faults) {
        this.setup = setup;
        this.shared = shared;
        this.stayed = stayed;
        this.faults = faults;
        for (int device : shared.keySet()) {
            if (stayed.contains(device) || !masked(device).isEmpty()) {
                told.put(device, new TreeMap<>());
            }
        }
    }

    /** Neighbors of a device whose rows contain masks that they share with it. */
    private List<Integer> masked(int device) {
        return Arrays.stream(setup.neighbors(device)).boxed().filter(stayed::contains).toList();
    }

    @Override
    public boolean accept(SumMessage message) {
        if (!(message instanceof Reveal reveal)
                || !stayed.contains(reveal.device())
                || !heard.add(reveal.device())) {
            return false;
        }
        for (Told each : reveal.shares()) {
            if (!genuine(reveal.device(), each)) {
                faults.put(
                        reveal.device(),
                        "sent a share of device %d other than the one it received"
                                .formatted(each.owner()));
            } else if (told.containsKey(each.owner())) {
                told.get(each.owner()).put(setup.holder(reveal.device()), each.share());
            }
        }
        reveal.unreadable().forEach(dealer -> unreadable.merge(dealer, 1, Integer::sum));
        return true;
    }

    private boolean genuine(int device, Told share) {
        Shares dealt = shared.get(share.owner());
        if (dealt == null) {
            return false;
        }
        Secret kind = Secret.of(stayed.contains(share.owner()));
        for (Sealed each : dealt.shares()) {
            if (each.to() == device) {
                return Arrays.equals(
                        kind.digest(each),
                        setup.shareDigest(kind, share.owner(), device, share.share()));
            }
        }
        return false;
    }

    /** Shares beyond the threshold are not needed. */
    @Override
    public boolean complete(Set<Integer> gone) {
        int threshold = setup.plan().threshold();
        return stayed.stream().allMatch(id -> heard.contains(id) || gone.contains(id))
                || told.values().stream().allMatch(shares -> shares.size() >= threshold);
    }

    @Override
    public ServerStage end(List<SumMessage> messages) {
        int threshold = setup.plan().threshold();
        List<Mask> masks = new ArrayList<>();
        for (Map.Entry<Integer, TreeMap<Integer, byte[]>> each : told.entrySet()) {
            int device = each.getKey();
            if (each.getValue().size() < threshold) {
                return ServerStage.refused(
                        ("%d shares of a secret of device %d have come, and %d make it up; %d"
                                        + " neighbors could not read theirs")
                                .formatted(
                                        each.getValue().size(),
                                        device,
                                        threshold,
                                        unreadable.getOrDefault(device, 0)));
            }
            Optional<byte[]> secret = Shamir.secret(first(each.getValue(), threshold));
            if (secret.isEmpty() || !genuine(device, secret.get())) {
                faults.put(device, "dealt shares that do not make up its secret");
                return ServerStage.refused(
                        "device %d has dealt shares that do not make up its secret"
                                .formatted(device));
            }
            masks.addAll(masks(device, secret.get()));
        }
        return new Ended(new SumOutcome.Unmasked(List.copyOf(stayed), masks));
    }

    private static SortedMap<Integer, byte[]> first(TreeMap<Integer, byte[]> shares, int count) {
        TreeMap<Integer, byte[]> first = new TreeMap<>();
        shares.entrySet().stream()
                .limit(count)
                .forEach(each -> first.put(each.getKey(), each.getValue()));
        return first;
    }

    /** True if a secret matches its owner's announcement. */
    private boolean genuine(int device, byte[] secret) {
        return stayed.contains(device)
                ? Arrays.equals(shared.get(device).seedDigest(), setup.seedDigest(device, secret))
                : Arrays.equals(setup.keys(device).maskKey(), new ExchangeKey(secret).publicKey());
    }

    /**
     * For a device that has stayed, its own mask; for another, its masks in the rows of neighbors.
     */
    private List<Mask> masks(int device, byte[] secret) {
        if (stayed.contains(device)) {
            return List.of(new Mask(setup.selfKey(secret), false));
        }
        ExchangeKey key = new ExchangeKey(secret);
        return masked(device).stream()
                .map(
                        neighbor ->
                                new Mask(
                                        setup.maskKey(key, device, neighbor),
                                        SumSetup.subtracts(neighbor, device)))
                .toList();
    }
}
