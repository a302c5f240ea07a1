package dev.levee.operators.placement.schedule;

import java.util.Arrays;

/**
 * The operators whose inputs have all arrived at a device, with their needs. It finds the lowest id
 * that fits, in logarithmic time unless both needs are limiting.
 */
final class ReadyTree {
    private static final long ABSENT = Long.MAX_VALUE;

    private final int leaves;
    private final long[] persistent;
    private final long[] all;

    ReadyTree(int size) {
        leaves = Math.max(1, Integer.highestOneBit(Math.max(1, size - 1)) * 2);
        persistent = new long[2 * leaves];
        all = new long[2 * leaves];
        Arrays.fill(persistent, ABSENT);
        Arrays.fill(all, ABSENT);
    }

    boolean contains(int id) {
        return all[leaves + id] != ABSENT;
    }

    /**
     * Adds or changes an operator.
     *
     * @param persistentNeed persistent bytes
     * @param allNeed persistent bytes plus the bytes that are held while it runs
     */
    void put(int id, long persistentNeed, long allNeed) {
        set(id, persistentNeed, allNeed);
    }

    void remove(int id) {
        set(id, ABSENT, ABSENT);
    }

    private void set(int id, long persistentNeed, long allNeed) {
        int node = leaves + id;
        persistent[node] = persistentNeed;
        all[node] = allNeed;
        for (node /= 2; node > 0; node /= 2) {
            persistent[node] = Math.min(persistent[2 * node], persistent[2 * node + 1]);
            all[node] = Math.min(all[2 * node], all[2 * node + 1]);
        }
    }

    /** The lowest id whose needs fit into both limits, or −1. */
    int first(long persistentRoom, long allRoom) {
        return first(1, persistentRoom, allRoom);
    }

    private int first(int node, long persistentRoom, long allRoom) {
        if (persistent[node] == ABSENT
                || persistent[node] > persistentRoom
                || all[node] > allRoom) {
            return -1;
        }
        if (node >= leaves) {
            return node - leaves;
        }
        int left = first(2 * node, persistentRoom, allRoom);
        return left >= 0 ? left : first(2 * node + 1, persistentRoom, allRoom);
    }
}
