package dev.levee.operators.internal.loop;

import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

import java.util.function.IntUnaryOperator;

/**
 * Keys for ids 0 to n − 1 whose key groups spread evenly, so that every parallelism gives each
 * subtask as many as any other, give or take one. Plain ids would hash 4 to 7 on two subtasks.
 */
public final class EvenKeys {
    private static final int POINTS = 128;

    /** Of 128 equal parts; found by a search over all placements. */
    private static final int[] GROWING = {
        94, 24, 47, 111, 74, 12, 59, 122, 38, 83, 7, 106, 68, 30, 91
    };

    private EvenKeys() {}

    /** The key of each id; distinct, and a function of the arguments alone. */
    public static int[] of(int ids, int maxParallelism) {
        return keys(ids, maxParallelism, id -> (int) ((2L * id + 1) * maxParallelism / (2L * ids)));
    }

    /**
     * Keys for ids of which the first p are in use at parallelism p: each subtask gets one of them
     * for every p up to 15. That cannot be had for every p without end (Berlekamp and Graham 1970:
     * 17 points at most), so beyond some subtasks have two and others none.
     */
    public static int[] growing(int ids, int maxParallelism) {
        return keys(
                ids,
                maxParallelism,
                id ->
                        id < GROWING.length
                                ? GROWING[id] * maxParallelism / POINTS
                                : reversed(id, maxParallelism));
    }

    /** The digits of an id behind the binary point in reverse, as a share of all key groups. */
    private static int reversed(int id, int maxParallelism) {
        long fraction = Integer.reverse(id) & 0xFFFFFFFFL;
        return (int) (fraction * maxParallelism >>> Integer.SIZE);
    }

    private static int[] keys(int ids, int maxParallelism, IntUnaryOperator groupOf) {
        int[] keys = new int[ids];
        int[] nextCandidate = new int[maxParallelism];
        for (int id = 0; id < ids; id++) {
            int group = groupOf.applyAsInt(id);
            int candidate = nextCandidate[group];
            while (KeyGroupRangeAssignment.assignToKeyGroup(candidate, maxParallelism) != group) {
                candidate++;
            }
            keys[id] = candidate;
            nextCandidate[group] = candidate + 1;
        }
        return keys;
    }
}
