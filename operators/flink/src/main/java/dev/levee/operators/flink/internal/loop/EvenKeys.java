package dev.levee.operators.flink.internal.loop;

import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

import java.util.function.IntUnaryOperator;

/**
 * Chooses keys for ids 0 to n − 1 whose key groups are spread evenly: with any parallelism, the
 * numbers of keys of two subtasks differ by at most one. With the hashes of plain ids, two subtasks
 * get 4 and 7 of eleven ids.
 */
public final class EvenKeys {
    private static final int POINTS = 256;

    /**
     * Key groups of ids 0 to 16, in 256ths of all key groups: the values lie in the intervals of
     * Warmus's solution (1976).
     */
    private static final int[] GROWING = {
        148, 74, 248, 19, 187, 117, 38, 212, 97, 168, 57, 230, 131, 7, 200, 85, 158
    };

    private EvenKeys() {}

    /** The key of each id. Keys are distinct and a function of the arguments alone. */
    public static int[] of(int ids, int maxParallelism) {
        return keys(ids, maxParallelism, id -> (int) ((2L * id + 1) * maxParallelism / (2L * ids)));
    }

    /**
     * Keys for ids of which the first p are in use at parallelism p. With 256 key groups, each
     * subtask gets one id for every p up to 17. No choice achieves this for every p (Berlekamp and
     * Graham 1970), so beyond 17 some subtasks have two ids and others none.
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

    /**
     * The key group of an id by the van der Corput sequence: the id's reversed binary digits after
     * the binary point give a fraction of all key groups.
     */
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
