package dev.levee.operators.rounds;

import dev.levee.gar.LookResult;
import dev.levee.learners.Learner.GpuMemory;
import dev.levee.operators.rounds.fault.CodeFault;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.report.LocalScore;
import dev.levee.operators.rounds.report.Takeover;
import dev.levee.operators.rounds.securesum.SumMessage;

import java.util.List;

/** A small message to the coordinator from a shard, its gate or a worker. */
public sealed interface ShardReport {
    /** The round that the message is about. */
    long round();

    /** The shard that sent the message; block −1 if it concerns a whole server. */
    ShardId shard();

    /** A message about a whole server. */
    sealed interface OfServer extends ShardReport {
        int server();

        @Override
        default ShardId shard() {
            return new ShardId(server(), -1);
        }
    }

    /**
     * A row arrived and was measured against the rows already there.
     *
     * @param base version of the model that the contribution answers
     * @param weight how much the contribution counts
     * @param measured as {@link dev.levee.gar.BlockKernels#measure} returns it, empty if the rule
     *     looks at nothing
     * @param loss as the worker reported it
     * @param modelAt when the worker had the model, microseconds since the epoch
     * @param computedAt when the gradient was ready, microseconds since the epoch
     * @param arrivedAt when the row reached the shard, microseconds since the epoch
     */
    record Arrived(
            long round,
            ShardId shard,
            int worker,
            long base,
            double weight,
            double[] measured,
            double loss,
            long modelAt,
            long computedAt,
            long arrivedAt)
            implements ShardReport {}

    /**
     * Rows arrived as one partial sum: a round has all of them or none.
     *
     * @param rows at least two, of one block and one round
     * @param sentAt when the sum left the host that sent it, microseconds since the epoch
     */
    record Combined(List<Arrived> rows, long sentAt) implements ShardReport {
        @Override
        public long round() {
            return rows.get(0).round();
        }

        @Override
        public ShardId shard() {
            return rows.get(0).shard();
        }
    }

    /** A row was dropped. */
    record Dropped(long round, ShardId shard, int worker, Rejection reason)
            implements ShardReport {}

    /**
     * A block continues from a published version. Rows that it had received before are discarded,
     * and the round before that version has been applied.
     *
     * @param round the version, which is also the round that it opens
     */
    record Adopted(long round, ShardId shard) implements ShardReport {}

    /**
     * Records were refused before they reached a shard. One report counts many of them.
     *
     * @param worker the worker that they name, −1 if this run has no such worker
     * @param records how many
     */
    record Refused(int server, int worker, Rejection reason, long records) implements OfServer {
        /** No round, because the claim of a refused record is not trusted. */
        @Override
        public long round() {
            return -1;
        }
    }

    /** Cost of a worker's gradient; in elastic runs only. */
    record Computed(long round, int server, int worker, GradientCost effort) implements OfServer {}

    /** Workers have begun to read a server. */
    record TakenOver(Takeover takeover) implements ShardReport {
        @Override
        public long round() {
            return takeover.round();
        }

        @Override
        public ShardId shard() {
            return new ShardId(takeover.to(), -1);
        }
    }

    /** A participant's own code has failed. */
    record Raised(int server, CodeFault fault) implements OfServer {
        @Override
        public long round() {
            return fault.round();
        }
    }

    /** A participant has scored models. */
    record Tested(int server, LocalScore score) implements OfServer {
        @Override
        public long round() {
            return score.round();
        }
    }

    /** The memory that the learners of participants use on GPUs when the run ends. */
    record OnGpus(int server, List<GpuMemory> memory) implements OfServer {
        /** Belongs to no round. */
        @Override
        public long round() {
            return -1;
        }
    }

    /**
     * Reports the process of a subtask of participants, so that sums of their contributions can be
     * planned.
     *
     * @param subtasks how many there are
     * @param process the process that it runs in
     */
    record Placed(int server, int subtask, int subtasks, String process) implements OfServer {
        /** Belongs to no round. */
        @Override
        public long round() {
            return -1;
        }
    }

    /**
     * A sum from another host has reached its aggregator.
     *
     * @param worker the first worker whose contribution is in the sum
     * @param sentAt when it left the other host, microseconds since the epoch
     * @param arrivedAt when it arrived
     */
    record Gathered(long round, int server, int worker, long sentAt, long arrivedAt)
            implements OfServer {}

    /**
     * A participant has a contribution and waits for a {@link Permission} to send it.
     *
     * @param round version of the model that the contribution answers
     * @param bytes bytes of the contribution that would leave the participant's process
     * @param norm Euclidean norm of its values
     * @param host where the participant is
     */
    record Announced(long round, int server, int worker, long bytes, double norm, String host)
            implements OfServer {}

    /**
     * A subtask of a replica has started.
     *
     * @param behind the age of the replica's oldest block, in versions; 0 if it holds nothing
     * @param distance measured distance from the primary's model of the same version; 0 if it holds
     *     nothing
     */
    record Standing(int server, StandbyPlace place, long behind, double distance)
            implements OfServer {
        @Override
        public long round() {
            return place.version();
        }
    }

    /**
     * A replica has received a block of a version.
     *
     * @param bytes bytes that it received
     */
    record Copied(long round, ShardId shard, long bytes) implements ShardReport {}

    /**
     * A device has sent a message of a secure sum.
     *
     * @param round the round whose contributions are summed
     */
    record Said(long round, int server, SumMessage.FromDevice message) implements OfServer {}

    /** The answer to {@link Instruction.LookAgain}. */
    record Seen(long round, ShardId shard, int phase, LookResult share) implements ShardReport {}

    /**
     * Improvement of the model on the server's own data by a step along a contribution.
     *
     * @param score F(x) − F(x − γv) for the contribution v to the model x
     */
    record Scored(long round, int server, int worker, double score) implements OfServer {}

    /**
     * The round was applied and the next model published.
     *
     * @param spread measured distances between its rows, null if not asked for
     * @param digest SHA-256 of the block's new values, empty if not asked for
     */
    record Applied(
            long round,
            ShardId shard,
            long reduceNanos,
            long updateNanos,
            LookResult spread,
            byte[] digest)
            implements ShardReport {
        private static final byte[] NONE = {};

        /** Report of a round without distances between rows. */
        public Applied(long round, ShardId shard, long reduceNanos, long updateNanos) {
            this(round, shard, reduceNanos, updateNanos, null, NONE);
        }
    }
}
