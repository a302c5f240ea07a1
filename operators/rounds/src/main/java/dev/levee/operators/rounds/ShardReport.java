package dev.levee.operators.rounds;

import dev.levee.gar.Looked;

/** What a shard, the gate before it or a worker tells the coordinator: small numbers only. */
public sealed interface ShardReport {
    /** The round it is about. */
    long round();

    /** The block it comes from. */
    int block();

    /**
     * A row arrived and was measured against the rows already there.
     *
     * @param measured as {@link dev.levee.gar.BlockKernels#measure} returns it, empty if the rule
     *     looks at nothing
     * @param loss as the worker reported it
     * @param modelAt when the worker had the model, microseconds since the epoch
     * @param computedAt when the gradient was ready, microseconds since the epoch
     * @param arrivedAt when the row reached the shard, microseconds since the epoch
     */
    record Arrived(
            long round,
            int block,
            int worker,
            double[] measured,
            double loss,
            long modelAt,
            long computedAt,
            long arrivedAt)
            implements ShardReport {}

    /** A row was dropped. */
    record Dropped(long round, int block, int worker, Rejection reason) implements ShardReport {}

    /**
     * Records were refused before they reached a shard; a flood of them is one report.
     *
     * @param worker the worker they name, −1 for none of this run
     * @param records how many
     */
    record Refused(int worker, Rejection reason, long records) implements ShardReport {
        /** Of no round: what a refused record claims is not believed. */
        @Override
        public long round() {
            return -1;
        }

        @Override
        public int block() {
            return -1;
        }
    }

    /** What a worker's gradient took; in elastic runs only. */
    record Computed(long round, int worker, Effort effort) implements ShardReport {
        /** Of all blocks. */
        @Override
        public int block() {
            return -1;
        }
    }

    /** The answer to {@link Instruction.LookAgain}. */
    record Seen(long round, int block, int phase, Looked share) implements ShardReport {}

    /** The round was applied and the next model published. */
    record Applied(long round, int block, long reduceNanos, long updateNanos)
            implements ShardReport {}
}
