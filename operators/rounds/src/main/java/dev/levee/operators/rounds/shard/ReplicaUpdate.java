package dev.levee.operators.rounds.shard;

import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardReport;

/**
 * An update of a block for a replica, sent before anybody else sees the block's new values.
 *
 * @param model the new block; with the update's aggregate instead of values unless {@link #whole}
 * @param moments the optimizer's vectors after the update; null if the replica can make them and
 *     the values itself, because it lacks no update before this one
 * @param applied the report to the coordinator once the replica has it
 * @param to subtask of the replica that keeps it, −1 as long as that is not known
 */
public record ReplicaUpdate(
        ModelBlock model, float[][] moments, ShardReport.Applied applied, int to) {
    /** True if it has the values after the update. */
    public boolean whole() {
        return moments != null;
    }

    /** Bytes of its vectors. */
    public long bytes() {
        int vectors = 1 + (whole() ? moments.length : 0);
        return (long) Float.BYTES * model.length() * vectors;
    }

    /** The same for a subtask. */
    public ReplicaUpdate keptBy(int subtask) {
        return new ReplicaUpdate(model, moments, applied, subtask);
    }
}
