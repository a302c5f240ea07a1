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
 * n-th of the rows, and caches a share α of all rows. Workers of which each needs a row that all
 * the others of them cache get the exclusive or of these rows in one packet, which all of them
 * receive. That costs less than sending rows one by one only where one packet to all is much
 * cheaper than n packets, see {@link #cost}.
 */
public final class CodedShuffle {
    private CodedShuffle() {}

    /**
     * The exclusive or of some rows, which must reach some workers.
     *
     * @param rows by worker that receives it: the row that it needs; the worker has the others
     */
    public record Packet(Map<Integer, Integer> rows) {
        /**
         * The payload.
         *
         * @param row contents of each row, all of one length
         */
        public byte[] encode(IntFunction<byte[]> row) {
            return added(null, -1, row);
        }

        /**
         * The row that a worker needs, from the payload.
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
     * The packets after which each worker has the rows of its next epoch.
     *
     * @param next by row: the worker that gets it
     * @param caches by worker: the rows that it has, those of this epoch included; each row is in
     *     one of them
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
     * Expected cost of coded shuffling, by that of sending each worker the rows that it does not
     * have, with many rows: about 1 / (γ · (α + 1/n)). Coding pays where it is below 1.
     *
     * @param workers n, at least 2
     * @param cached α, the share of all rows that a worker has, from 1/n to 1
     * @param gamma γ(n): cost of n different packets to a worker each, by that of one to all
     */
    public static double cost(int workers, double cached, double gamma) {
        double fair = 1.0 / workers;
        if (workers < 2 || !(cached >= fair) || !(cached <= 1) || !(gamma > 0)) {
            throw new IllegalArgumentException(
                    "coded shuffling needs two workers that have 1/n to all of the rows, got %d and %s, and a γ above 0, got %s"
                            .formatted(workers, cached, gamma));
        }
        // Beside who needs a row and who has it now, each other worker has it with probability p.
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
