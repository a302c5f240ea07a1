package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.SumMessage.Closing;
import dev.levee.operators.rounds.securesum.SumMessage.Dealt;
import dev.levee.operators.rounds.securesum.SumMessage.Delivery;
import dev.levee.operators.rounds.securesum.SumMessage.Row;
import dev.levee.operators.rounds.securesum.crypto.FieldBytes;
import dev.levee.operators.rounds.securesum.crypto.KeyStream;
import dev.levee.operators.rounds.securesum.crypto.SealedBox;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The stage of a device that has masked its values.
 *
 * @param dealers neighbors that have dealt shares
 * @param held the readable ones of these shares, of both secrets
 */
record DeviceMasked(
        DeviceSharing before, Set<Integer> dealers, Map<Integer, Map<Secret, byte[]>> held)
        implements DeviceStage {
    static DeviceMasked of(DeviceSharing before, Delivery delivery) {
        int id = before.own().id();
        Set<Integer> neighbors = new HashSet<>();
        Arrays.stream(before.setup().neighbors(id)).forEach(neighbors::add);
        Map<Integer, Map<Secret, byte[]>> held = new TreeMap<>();
        Set<Integer> dealers = new TreeSet<>();
        for (Dealt dealt : delivery.dealt()) {
            if (!neighbors.contains(dealt.from())
                    || dealt.shares().to() != id
                    || !dealers.add(dealt.from())) {
                throw new IllegalArgumentException(
                        "device %d has shares from %d, which is not a neighbor or has sent others"
                                .formatted(id, dealt.from()));
            }
            Map<Secret, byte[]> read = read(before, dealt);
            if (!read.isEmpty()) {
                held.put(dealt.from(), read);
            }
        }
        if (delivery.device() != id || dealers.size() < before.setup().plan().threshold()) {
            throw new IllegalArgumentException(
                    "device %d masks with at least %d neighbors, and %d have dealt shares"
                            .formatted(id, before.setup().plan().threshold(), dealers.size()));
        }
        return new DeviceMasked(before, dealers, held);
    }

    private static Map<Secret, byte[]> read(DeviceSharing before, Dealt dealt) {
        int id = before.own().id();
        SumSetup setup = before.setup();
        byte[] both =
                SealedBox.open(
                                setup.channelKey(
                                        before.own().channelKey(), dealt.from(), dealt.from(), id),
                                dealt.shares().sealed())
                        .orElse(new byte[0]);
        Map<Secret, byte[]> read = new EnumMap<>(Secret.class);
        for (Secret kind : Secret.values()) {
            int from = kind.ordinal() * FieldBytes.LENGTH;
            byte[] share =
                    Arrays.copyOfRange(both, Math.min(from, both.length), from + FieldBytes.LENGTH);
            if (!Arrays.equals(
                    setup.shareDigest(kind, dealt.from(), id, share),
                    kind.digest(dealt.shares()))) {
                return Map.of();
            }
            read.put(kind, share);
        }
        return read;
    }

    @Override
    public Row row(int[] values) {
        int id = before.own().id();
        SumSetup setup = before.setup();
        int[] masked = values.clone();
        new KeyStream(setup.selfKey(before.seed())).addTo(masked, false);
        for (int neighbor : dealers) {
            new KeyStream(setup.maskKey(before.own().maskKey(), id, neighbor))
                    .addTo(masked, SumSetup.subtracts(id, neighbor));
        }
        return new Row(id, masked);
    }

    @Override
    public DeviceStage hear(SumMessage message) {
        if (message instanceof Closing closing) {
            return DeviceRevealed.of(this, closing);
        }
        if (message instanceof Delivery) {
            return this;
        }
        throw DeviceStage.unexpected(before.own().id(), message);
    }
}
