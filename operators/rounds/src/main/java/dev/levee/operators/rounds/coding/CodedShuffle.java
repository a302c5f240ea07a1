package dev.levee.operators.rounds.coding;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * Coded shuffling (Lee, Lam, Pedarsani, Papailiopoulos, Ramchandran, "Speeding Up Distributed
 * Machine Learning Using Codes", 2018, section V): between epochs, each of n workers gets another
 * n-th of the rows, and each caches a share α of all rows. If each worker of a group needs a row
 * that all others in the group have cached, the group gets one packet with the exclusive or of
 * these rows. This costs less than sending single rows only if one packet to all is much cheaper
 * than n packets, see {@link #cost}.
 */
public final class CodedShuffle {
    private CodedShuffle() {}

    /**
     * A packet with the exclusive or of rows, to be sent to several workers.
     *
     * @param rows by receiving worker: the row that it needs; it has the other rows
     */
    public record Packet(Map<Integer, Integer> rows) {
        /**
         * Computes the payload.
         *
         * @param row contents of each row, all of one length
         */
        public byte[] encode(IntFunction<byte[]> row) {
            return added(null, -1, row);
        }

        /**
         * Decodes the row that a worker needs from the payload.
         *
         * @param cached contents of each row that the worker has
         */
        public byte[] decode(int worker, byte[] payload, IntFunction<byte[]> cached) {
            return added(payload.clone(), worker, cached);
        }

        private byte[] added(byte[] sum, int without, IntFunction<byte[]> row) {
            byte[] all = sum;
            for (Map.Entry<Integer, Integer> each : rows.entrySet()) {
                if (each.getKey() == without) {
                    continue;
                }
                byte[] values = row.apply(each.getValue());
                if (all == null) {
                    all = new byte[values.length];
                }
                for (int i = 0; i < all.length; i++) {
                    all[i] ^= values[i];
                }
            }
            return all;
        }
    }

    /**
     * The packets that give each worker the rows of its next epoch.
     *
     * @param next by row: the worker that needs it in the next epoch
     * @param caches by worker: the rows that it has, those of this epoch included; each row is in
     *     at least one cache
     * @throws IllegalArgumentException if no worker has some row
     */
    public static List<Packet> packets(int[] next, List<BitSet> caches) {
        Map<BitSet, TreeMap<Integer, List<Integer>>> needed = new LinkedHashMap<>();
        for (int row = 0; row < next.length; row++) {
            int worker = next[row];
            if (caches.get(worker).get(row)) {
                continue;
            }
            BitSet group = new BitSet();
            for (int other = 0; other < caches.size(); other++) {
                group.set(other, caches.get(other).get(row));
            }
            if (group.isEmpty()) {
                throw new IllegalArgumentException("no worker has row " + row);
            }
            group.set(worker);
            needed.computeIfAbsent(group, each -> new TreeMap<>())
                    .computeIfAbsent(worker, each -> new ArrayList<>())
                    .add(row);
        }
        List<Packet> packets = new ArrayList<>();
        for (TreeMap<Integer, List<Integer>> group : needed.values()) {
            int most = group.values().stream().map(List::size).max(Comparator.naturalOrder()).get();
            for (int i = 0; i < most; i++) {
                Map<Integer, Integer> rows = new TreeMap<>();
                int turn = i;
                group.forEach(
                        (worker, each) -> {
                            if (turn < each.size()) {
                                rows.put(worker, each.get(turn));
                            }
                        });
                packets.add(new Packet(rows));
            }
        }
        return packets;
    }

    /**
     * Expected cost of coded shuffling divided by that of sending each worker its missing rows one
     * by one. For many rows, it is about 1 / (γ · (α + 1/n)). Coding pays if it is below 1.
     *
     * @param workers n, at least 2
     * @param cached α, the share of all rows that a worker has, from 1/n to 1
     * @param gamma γ(n): cost of n packets to one worker each, divided by the cost of one packet to
     *     all
     */
    public static double cost(int workers, double cached, double gamma) {
        double fair = 1.0 / workers;
        if (workers < 2 || !(cached >= fair) || !(cached <= 1) || !(gamma > 0)) {
            throw new IllegalArgumentException(
                    "coded shuffling needs two workers that have 1/n to all of the rows, got %d and %s, and a γ above 0, got %s"
                            .formatted(workers, cached, gamma));
        }
        // One worker needs a row and one has it now; each other worker has it with probability p.
        double p = (cached - fair) / (1 - fair);
        double packetsPerRow = 0;
        double probability = Math.pow(1 - p, workers - 2);
        if (probability == 0) {
            return 1 / (gamma * fair * (2 + (workers - 2) * p));
        }
        for (int others = 0; others <= workers - 2; others++) {
            packetsPerRow += probability / (2 + others);
            probability *= (workers - 2.0 - others) / (others + 1) * p / (1 - p);
        }
        return workers / gamma * packetsPerRow;
    }
}
