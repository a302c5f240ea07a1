package dev.levee.operators.rounds;

import dev.levee.gar.Looked;
import dev.levee.learners.Learner.GpuMemory;
import dev.levee.operators.rounds.securesum.SumMessage;

import java.util.List;

/** A message of a shard, its gate or a worker to the coordinator: small numbers only. */
public sealed interface ShardReport {
    /** The round it is about. */
    long round();

    /** The shard it comes from; of what concerns a whole server, block −1. */
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
     * A block continues from a version that it found where versions are published: what had reached
     * it before is gone, and the round before has been applied.
     *
     * @param round the version, and the round that it opens
     */
    record Adopted(long round, ShardId shard) implements ShardReport {}

    /**
     * Records were refused before they reached a shard; a flood of them is one report.
     *
     * @param worker the worker they name, −1 for none of this run
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

    /** Code of a participant's own has failed. */
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

    /** What the learners of participants have taken of GPUs when the run ends. */
    record OnGpus(int server, List<GpuMemory> memory) implements OfServer {
        /** Belongs to no round. */
        @Override
        public long round() {
            return -1;
        }
    }

    /**
     * Where a subtask of the participants is, and where what they send is added up.
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
     * A sum from another host has come to where it is added up.
     *
     * @param worker the first one whose contribution is in it
     * @param sentAt when it left the other host, microseconds since the epoch
     * @param arrivedAt when it came
     */
    record Gathered(long round, int server, int worker, long sentAt, long arrivedAt)
            implements OfServer {}

    /**
     * A participant has a contribution and waits for a {@link Permission} to send it.
     *
     * @param round version of the model that the contribution answers
     * @param bytes the bytes of it that would leave the participant's process
     * @param norm Euclidean norm of its values
     * @param host where the participant is
     */
    record Announced(long round, int server, int worker, long bytes, double norm, String host)
            implements OfServer {}

    /**
     * A subtask of a replica has started.
     *
     * @param behind most versions since the replica has got a block; 0 if it holds nothing
     * @param distance from the primary's model of the version that it holds, measured; 0 if it
     *     holds nothing
     */
    record Standing(int server, StandbyPlace place, long behind, double distance)
            implements OfServer {
        @Override
        public long round() {
            return place.version();
        }
    }

    /**
     * A replica has got a block of a version.
     *
     * @param bytes that it has got
     */
    record Copied(long round, ShardId shard, long bytes) implements ShardReport {}

    /**
     * A device has said something in a secure sum.
     *
     * @param round the round whose contributions are summed
     */
    record Said(long round, int server, SumMessage.FromDevice message) implements OfServer {}

    /** The answer to {@link Instruction.LookAgain}. */
    record Seen(long round, ShardId shard, int phase, Looked share) implements ShardReport {}

    /**
     * Improvement of the model on the server's own data by a step along a contribution.
     *
     * @param score F(x) − F(x − γv) for the contribution v to the model x
     */
    record Scored(long round, int server, int worker, double score) implements OfServer {}

    /**
     * The round was applied and the next model published.
     *
     * @param spread a look at distances between its rows, null if it is not asked for
     * @param digest SHA-256 of the block's new values, empty if it is not asked for
     */
    record Applied(
            long round,
            ShardId shard,
            long reduceNanos,
            long updateNanos,
            Looked spread,
            byte[] digest)
            implements ShardReport {
        private static final byte[] NONE = {};

        /** Report of a round whose distances between rows are not needed. */
        public Applied(long round, ShardId shard, long reduceNanos, long updateNanos) {
            this(round, shard, reduceNanos, updateNanos, null, NONE);
        }
    }
}
