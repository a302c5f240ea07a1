package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.SumMessage.Keys;
import dev.levee.operators.rounds.securesum.SumMessage.Roster;
import dev.levee.operators.rounds.securesum.crypto.Digest;
import dev.levee.operators.rounds.securesum.crypto.ExchangeKey;
import dev.levee.operators.rounds.securesum.crypto.Hkdf;
import dev.levee.operators.rounds.securesum.plan.SumPlan;

import java.util.Arrays;
import java.util.List;

/** The numbers, graph and keys that the server and each device derive from a roster. */
final class SumSetup {
    private final SumPlan plan;
    private final NeighborGraph graph;
    private final List<Keys> keys;
    private final int[] ids;
    private final byte[] context;

    /**
     * Derives the setup.
     *
     * @throws IllegalArgumentException if the roster is not for this sum, or has too few devices;
     *     one sentence
     */
    SumSetup(SumTask task, Roster roster) {
        keys = roster.devices();
        ids = keys.stream().mapToInt(Keys::device).toArray();
        boolean ascending = true;
        for (int i = 1; i < ids.length; i++) {
            ascending &= ids[i - 1] < ids[i];
        }
        if (roster.run() != task.run()
                || roster.round() != task.round()
                || ids.length > task.asked()
                || !ascending) {
            throw new IllegalArgumentException(
                    "the list of devices is not one of round %d of this run, for %d devices"
                            .formatted(task.round(), task.asked()));
        }
        plan = task.rates().plan(task.asked(), ids.length);
        Digest all = new Digest("roster").with(task.run()).with(task.round()).with(task.asked());
        keys.forEach(each -> all.with(each.device()).with(each.maskKey()).with(each.channelKey()));
        context = all.bytes();
        graph = new NeighborGraph(context, ids.length, plan.degree());
    }

    SumPlan plan() {
        return plan;
    }

    /** Bytes that bind keys to this roster; any two rosters have different ones. */
    byte[] context() {
        return context.clone();
    }

    boolean has(int device) {
        return Arrays.binarySearch(ids, device) >= 0;
    }

    /** The number of a device as a holder of shares, from 1. */
    int holder(int device) {
        return index(device) + 1;
    }

    private int index(int device) {
        int index = Arrays.binarySearch(ids, device);
        if (index < 0) {
            throw new IllegalArgumentException("device " + device + " is not in this sum");
        }
        return index;
    }

    Keys keys(int device) {
        return keys.get(index(device));
    }

    /** The neighbors of a device, ascending. */
    int[] neighbors(int device) {
        int[] neighbors = graph.of(index(device));
        for (int i = 0; i < neighbors.length; i++) {
            neighbors[i] = ids[neighbors[i]];
        }
        return neighbors;
    }

    /**
     * True if the first of two neighbors subtracts the mask that they share, and the other adds.
     */
    static boolean subtracts(int first, int second) {
        return first > second;
    }

    /** The key of the mask that two neighbors share; both derive the same key. */
    byte[] maskKey(ExchangeKey own, int device, int neighbor) {
        return Hkdf.key(
                agreed(own, keys(neighbor).maskKey(), neighbor),
                new Digest("mask")
                        .with(context)
                        .with(Math.min(device, neighbor))
                        .with(Math.max(device, neighbor)));
    }

    /** The key that encrypts the shares from one neighbor for the other. */
    byte[] channelKey(ExchangeKey own, int other, int from, int to) {
        return Hkdf.key(
                agreed(own, keys(other).channelKey(), other),
                new Digest("shares").with(context).with(from).with(to));
    }

    /** The key of a device's own mask. */
    byte[] selfKey(byte[] seed) {
        return Hkdf.key(seed, new Digest("self").with(context));
    }

    byte[] seedDigest(int owner, byte[] seed) {
        return new Digest("seed").with(context).with(owner).with(seed).bytes();
    }

    byte[] shareDigest(Secret kind, int owner, int holder, byte[] share) {
        return new Digest("share")
                .with(context)
                .with(kind.ordinal())
                .with(owner)
                .with(holder)
                .with(share)
                .bytes();
    }

    private static byte[] agreed(ExchangeKey own, byte[] theirs, int device) {
        return own.shared(theirs)
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "device %d has announced a key that is not secure"
                                                .formatted(device)));
    }
}
