package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.SharedKey;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.securesum.crypto.KeyStream;
import dev.levee.operators.rounds.vector.FixedPoint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The masks of one device. It shares a stream of integers with each other device of a round: the
 * device with the lower number adds them to its values, and the other subtracts them. The values
 * that a device sends therefore reveal nothing, and the masks cancel in the sum over the round.
 */
final class SumMasks {
    /**
     * Minimum number of devices. A single device has no mask, and each of two learns the other's
     * values from the sum.
     */
    private static final int FEWEST = 3;

    private final int id;
    private final SigningKey own;
    private final KeyDirectory peers;
    private final Map<Integer, SharedKey> shared = new HashMap<>();

    /**
     * Creates the masks of a device.
     *
     * @param own the device's key
     * @param peers public keys of all devices
     */
    SumMasks(int id, SigningKey own, KeyDirectory peers) {
        this.id = id;
        this.own = own;
        this.peers = peers;
    }

    /**
     * Masks a contribution.
     *
     * @param blocks all blocks of the contribution, in order
     * @param cohort the devices of its round
     * @throws IllegalArgumentException if the job names fewer than three devices, or a device's
     *     public key is missing; one sentence
     */
    List<GradientBlock> over(List<GradientBlock> blocks, Cohort cohort) {
        if (cohort.size() < FEWEST) {
            throw new IllegalArgumentException(
                    "the job asks %d for a secure sum, which needs at least %d devices to hide a contribution"
                            .formatted(cohort.size(), FEWEST));
        }
        Map<Integer, KeyStream> streams = new HashMap<>();
        for (int peer : cohort.ids()) {
            if (peer != id) {
                SharedKey key = shared.computeIfAbsent(peer, this::sharedWith);
                streams.put(
                        peer,
                        key.stream(blocks.get(0).header().run(), blocks.get(0).header().round()));
            }
        }
        List<GradientBlock> masked = new ArrayList<>();
        for (GradientBlock block : blocks) {
            float[] values = block.values().clone();
            int[] sums = new int[values.length];
            for (int i = 0; i < sums.length; i++) {
                sums[i] = FixedPoint.of(values[i]);
            }
            streams.forEach((peer, stream) -> stream.addTo(sums, peer < id));
            for (int i = 0; i < sums.length; i++) {
                values[i] = Float.intBitsToFloat(sums[i]);
            }
            masked.add(
                    new GradientBlock(
                            block.header().encoded(Header.MASKED),
                            block.loss(),
                            block.modelAt(),
                            block.computedAt(),
                            values));
        }
        return List.copyOf(masked);
    }

    private SharedKey sharedWith(int peer) {
        String name = KeyDirectory.name(peer);
        if (!peers.publicFile(name).toFile().exists()) {
            throw new IllegalArgumentException(
                    "--keys %s has no %s.pub: a secure sum needs the public keys of all devices"
                            .formatted(peers.path(), name));
        }
        return SharedKey.of(own, peers.verifying(name));
    }
}
