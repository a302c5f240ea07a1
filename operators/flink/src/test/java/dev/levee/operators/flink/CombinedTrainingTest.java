package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Gradients that are added up or ordered on their way, whatever fails. */
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
                .model(new Quadratic(300_000, 100, name))
                .rowsHeld(0)
                .combined(combined)
                .batchSize(1)
                .evalInterval(7)
                .build();
    }

    @Test
    void failuresAndGroupsChangeNoBit() throws Exception {
        Quadratic.failures("alone", 0);
        float[] alone = Restarts.run(training("alone", false), 1, false).parameters();
        Quadratic.failures("combined", FAILURES);
        float[] disturbed = Restarts.run(training("combined", true), 3, false).parameters();
        assertThat(Quadratic.failuresLeft("combined")).isZero();
        assertThat(disturbed).isEqualTo(alone);
    }

    @Test
    void orderedTransfersEndAllRoundsWithinTheirBound() throws Exception {
        Quadratic.failures("ordered", FAILURES);
        Training training =
                new TrainingBuilder(training("ordered", false))
                        .quorum(2)
                        .staleness(4)
                        .ordered(true)
                        .rounds(80)
                        .build();
        RunResult run = Restarts.run(training, 3, false);
        assertThat(Quadratic.failuresLeft("ordered")).isZero();
        assertThat(run.rounds()).hasSize(80);
        for (RoundReport round : run.rounds()) {
            assertThat(round.rows()).hasSize(2);
            for (long base : round.bases()) {
                assertThat(round.round() - base).isLessThanOrEqualTo(4);
            }
        }
        // Each row was announced, and what failures took away before a checkpoint is not counted.
        assertThat(run.transfers().announced()).isGreaterThanOrEqualTo(2 * 80);
    }
}
