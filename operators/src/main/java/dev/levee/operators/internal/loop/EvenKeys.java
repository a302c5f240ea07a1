package dev.levee.operators.internal.loop;

import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * Keys for ids 0 to n − 1 whose key groups spread evenly, so that every parallelism gives each
 * subtask as many as any other, give or take one. Plain ids would hash 4 to 7 on two subtasks.
 */
public final class EvenKeys {
    private EvenKeys() {}

    /** The key of each id; distinct, and a function of the arguments alone. */
    public static int[] of(int ids, int maxParallelism) {
        int[] keys = new int[ids];
        int[] nextCandidate = new int[maxParallelism];
        for (int id = 0; id < ids; id++) {
            int group = (int) ((2L * id + 1) * maxParallelism / (2L * ids));
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
