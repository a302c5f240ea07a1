package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.runtime.operator.KeyedStates;
import dev.levee.operators.flink.internal.runtime.replica.Starting;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.ShardReport.Standing;
import dev.levee.operators.rounds.coordinator.CoordinatorMemory;
import dev.levee.operators.rounds.coordinator.CoordinatorState;
import dev.levee.operators.rounds.report.ReplicaCounts;
import dev.levee.operators.rounds.report.ReplicaFailover;

import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Connects the coordinators of one subtask to the replicas of their servers. It waits for offers of
 * replicas at the start of the job, and counts updates.
 */
final class StandbyCoordinators {
    private static final Logger LOG = LoggerFactory.getLogger(StandbyCoordinators.class);

    private final LoopJob job;
    private final KeyedStates<ReplicaCounts> states;
    private final TreeMap<Integer, Starting<CoordinatorState, Standing, ShardReport>> starting =
            new TreeMap<>();
    private final TreeMap<Integer, ReplicaCounts> counts = new TreeMap<>();

    /**
     * The state from which a coordinator continues.
     *
     * @param behind true if rounds before this state were lost
     * @param waiting reports that arrived while it waited, in order
     */
    record Start(CoordinatorState state, boolean behind, List<ShardReport> waiting) {}

    /** Creates the coordinators of an operator while its state is initialized. */
    StandbyCoordinators(AbstractStreamOperator<?> operator, LoopJob job) {
        this.job = job;
        states =
                new KeyedStates<>(
                        operator, "replica", RecordKind.REPLICA_COUNTS.asType(ReplicaCounts.class));
    }

    /** Lets a coordinator wait; without a newer replica, it continues from the given state. */
    void await(int server, CoordinatorState state) throws Exception {
        ReplicaCounts before = states.get(job.coordinatorKeys()[server]);
        counts.put(server, before == null ? ReplicaCounts.NONE : before);
        starting.put(server, Starting.from(state));
    }

    /** True if a coordinator waits. */
    boolean awaits(int server) {
        return starting.containsKey(server);
    }

    /**
     * Handles a report for a waiting coordinator; returns its start once it need not wait anymore.
     */
    Optional<Start> take(int server, ShardReport report) {
        Starting<CoordinatorState, Standing, ShardReport> start = starting.get(server);
        if (!(report instanceof Standing standing)) {
            start.waiting().add(report);
            return Optional.empty();
        }
        if (!start.places().add(standing.place(), standing)) {
            return Optional.empty();
        }
        starting.remove(server);
        CoordinatorState before = start.state();
        Optional<Standing> newer = start.places().newerThan(before.round());
        newer.ifPresent(each -> note(server, each, before.round()));
        return Optional.of(
                new Start(
                        newer.map(each -> behind(before, server, each.round())).orElse(before),
                        newer.isPresent(),
                        start.waiting()));
    }

    private void note(int server, Standing standing, long checkpoint) {
        ReplicaFailover failover =
                new ReplicaFailover(
                        standing.round(), checkpoint, standing.behind(), standing.distance());
        counts.computeIfPresent(server, (id, before) -> before.and(failover));
        LOG.warn(
                "the replica continues from version {}, at a distance of {} from the model that"
                        + " was lost, of at most {}; the checkpoint has version {}",
                failover.version(),
                failover.distance(),
                job.training().topology().standby().distance(),
                checkpoint);
    }

    /**
     * The state at a later version of which only the number is known; all else is from the
     * checkpoint.
     */
    private CoordinatorState behind(CoordinatorState before, int server, long version) {
        return CoordinatorState.adopted(
                job.training(),
                job.slices(),
                server,
                new CoordinatorMemory(
                        version, before.ruleState(), before.ledger().counts(), before.step()));
    }

    /** Counts a report of a shard or of the replica to a coordinator that does not wait. */
    void count(int server, ShardReport report) {
        if (report instanceof ShardReport.Applied) {
            long bytes = (long) Float.BYTES * job.slices().length(report.shard().block());
            counts.computeIfPresent(server, (id, before) -> before.updated(bytes));
        } else if (report instanceof ShardReport.Copied copied) {
            counts.computeIfPresent(server, (id, before) -> before.copied(copied.bytes()));
        }
    }

    /** Counts of the updates that a server's replica has received so far. */
    ReplicaCounts counts(int server) {
        return counts.get(server);
    }

    void snapshot() throws Exception {
        for (int server : counts.keySet()) {
            states.put(job.coordinatorKeys()[server], counts.get(server));
        }
    }
}
