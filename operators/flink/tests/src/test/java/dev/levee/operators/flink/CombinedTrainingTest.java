package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.report.ReplicaCounts;
import dev.levee.operators.rounds.report.ReplicaFailover;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.topology.Standby;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.util.List;

/** Gradients that are added up or ordered on their way, and a replica, whatever fails. */
@Tag("cluster")
class CombinedTrainingTest {
    private static final int FAILURES = 3;

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(3)
                            .build());

    private static Training training(String name, boolean combined) {
        return new TrainingBuilder(Trainings.logistic(7, 0, "average", 14))
                .runId(name)
                .model(new Unsteady(new Quadratic(300_000, 100), name))
                .rowsHeld(0)
                .combined(combined)
                .batchSize(1)
                .evalInterval(7)
                .build();
    }

    @Test
    void failuresAndGroupsChangeNoBit() throws Exception {
        float[] alone = Restarts.run(training("alone", false), 1).parameters();
        float[] disturbed =
                Restarts.disturbed("combined", FAILURES, training("combined", true), 3)
                        .parameters();
        assertThat(disturbed).isEqualTo(alone);
        Training tree = new TrainingBuilder(training("tree", true)).fanIn(1).build();
        float[] aggregated = Restarts.disturbed("tree", FAILURES, tree, 3).parameters();
        assertThat(aggregated).isEqualTo(alone);
    }

    @Test
    void orderedTransfersEndAllRoundsWithinTheirBound() throws Exception {
        Training training =
                new TrainingBuilder(training("ordered", false))
                        .quorum(2)
                        .staleness(4)
                        .ordered(true)
                        .rounds(50)
                        .build();
        RunResult run = Restarts.disturbed("ordered", FAILURES, training, 3);
        assertThat(run.rounds()).hasSize(50);
        for (RoundReport round : run.rounds()) {
            assertThat(round.rows()).hasSize(2);
            for (long base : round.bases()) {
                assertThat(round.round() - base).isLessThanOrEqualTo(4);
            }
        }
        // Each row was announced, and what failures took away before a checkpoint is not counted.
        assertThat(run.transfers().announced()).isGreaterThanOrEqualTo(2 * 50);
    }

    /** Without a checkpoint, nobody but the replica knows anything of the rounds before. */
    @Test
    void theReplicaGoesOnWhereItsPrimaryWasLost() throws Exception {
        double distance = 100;
        Training training =
                new TrainingBuilder(training("replica", false))
                        .topology(Topology.standingBy(new Standby(distance)))
                        .optimizer(Optimizer.of(OptimizerKind.SGD, 0.5))
                        .work(new GradientWork(0))
                        .learningRate(LearningRate.parse("constant", 0.01, 20))
                        .rounds(20)
                        .build();
        RunResult run = Restarts.withoutCheckpoints("replica", FAILURES, training, 3);
        List<ReplicaFailover> takeovers = run.replica().takeovers();
        assertThat(takeovers).isNotEmpty();
        for (ReplicaFailover each : takeovers) {
            assertThat(each.version()).isPositive();
            assertThat(each.distance()).isLessThanOrEqualTo(distance);
        }
        List<RoundReport> rounds = run.rounds();
        assertThat(rounds.get(0).round()).isPositive();
        assertThat(rounds.get(rounds.size() - 1).round()).isEqualTo(19);
        assertThat(run.replica().bytes()).isPositive().isLessThan(run.replica().fullBytes());
    }

    @Test
    void aReplicaChangesNoBitOfARunThatNothingDisturbs() throws Exception {
        Training near =
                new TrainingBuilder(training("near", false))
                        .topology(Topology.standingBy(new Standby(0)))
                        .optimizer(Optimizer.of(OptimizerKind.SGD, 0.5))
                        .work(new GradientWork(0))
                        .build();
        RunResult with = Restarts.run(near, 3);
        Training alone = new TrainingBuilder(near).topology(Topology.ONE).build();
        assertThat(with.parameters()).isEqualTo(Restarts.run(alone, 1).parameters());
        // All updates of three blocks but the last, whose result everybody gets: first a block with
        // its momentum, then updates alone.
        ReplicaCounts counts = with.replica();
        assertThat(counts.updates()).isEqualTo(3 * 14);
        assertThat(counts.sent()).isEqualTo(3 * 13);
        assertThat(counts.bytes()).isEqualTo(14L * 300_000 * Float.BYTES);
        assertThat(counts.fullBytes()).isEqualTo(14L * 300_000 * Float.BYTES);
    }
}
