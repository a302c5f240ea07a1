package dev.levee.operators.rounds.shard;

import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardReport;

/**
 * An update of a block for a replica, sent before the block's new values are published.
 *
 * @param model the new block; unless {@link #whole}, it has the update's aggregate instead of
 *     values
 * @param moments the optimizer's vectors after the update; null if the replica has all earlier
 *     updates and can compute values and vectors itself
 * @param applied the report for the coordinator, sent once the replica has the update
 * @param to the replica's subtask that stores it, −1 while unknown
 */
public record ReplicaUpdate(
        ModelBlock model, float[][] moments, ShardReport.Applied applied, int to) {
    /** True if the record has the values after the update. */
    public boolean whole() {
        return moments != null;
    }

    /** Bytes of the vectors. */
    public long bytes() {
        int vectors = 1 + (whole() ? moments.length : 0);
        return (long) Float.BYTES * model.length() * vectors;
    }

    /** The same update for a subtask. */
    public ReplicaUpdate keptBy(int subtask) {
        return new ReplicaUpdate(model, moments, applied, subtask);
    }
}
