package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Attacks;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.report.EvaluationReport;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.stream.LongStream;

/** Runs that fail again and again end with the bits of a run that nobody disturbed. */
@Tag("cluster")
class RecoveryTest {
    private static final int FAILURES = 3;
    private static final int ROUNDS = 20;
    private static final int DIMENSION = 140_000;

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(2)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    private static Training training(String rule, String attack, String failures) {
        Training base = Trainings.logistic(7, 2, rule, ROUNDS);
        return new TrainingBuilder(base)
                .runId("recover" + failures)
                .model(new Unsteady(new Quadratic(DIMENSION, 1000), failures))
                .attack(Attacks.parse(attack), 2)
                .batchSize(1)
                .optimizer(Optimizer.of(OptimizerKind.ADAM, 0))
                .work(new GradientWork(0))
                .evalInterval(15)
                .seed(7)
                .build();
    }

    @ParameterizedTest
    @CsvSource({"false, little-is-enough", "true, min-max"})
    void failuresChangeNoBit(boolean unaligned, String attack) throws Exception {
        // NNM looks twice, so failures hit every kind of instruction.
        String rule = "nnm | multi-krum";
        String key = "f" + unaligned;
        RunResult disturbed =
                Restarts.disturbed(
                                key, FAILURES, List.of(training(rule, attack, key)), 2, unaligned)
                        .get(0);
        RunResult quiet = Restarts.run(training(rule, attack, "none"), 2);

        assertThat(quiet.rounds()).hasSize(ROUNDS);
        assertThat(quiet.evaluations())
                .extracting(EvaluationReport::version)
                .contains((long) ROUNDS);
        assertThat(disturbed.parameters()).isEqualTo(quiet.parameters());
        assertThat(disturbed.rounds().stream().mapToLong(RoundReport::round))
                .containsExactlyElementsOf(LongStream.range(0, ROUNDS).boxed().toList());
        for (int worker = 0; worker < 7; worker++) {
            assertThat(disturbed.workers().get(worker).accepted()).isEqualTo(ROUNDS);
            assertThat(disturbed.workers().get(worker).selected())
                    .isEqualTo(quiet.workers().get(worker).selected());
        }
    }

    @Test
    void failuresChangeNoScore() throws Exception {
        RunResult disturbed =
                Restarts.disturbed("scored", FAILURES, training("zeno", "min-max", "scored"), 2);
        RunResult quiet = Restarts.run(training("zeno", "min-max", "none"), 2);

        assertThat(disturbed.parameters()).isEqualTo(quiet.parameters());
        assertThat(disturbed.rounds()).hasSize(ROUNDS);
        // The attackers' rows have the worst scores.
        assertThat(quiet.workers().get(6).selected()).isLessThan(ROUNDS / 3);
        assertThat(quiet.workers().get(0).selected()).isGreaterThan(2 * ROUNDS / 3);
    }

    @Test
    void twoTrainingsInOneJobEndWithTheBitsTheyHaveAlone() throws Exception {
        Training median =
                new TrainingBuilder(training("median", "little-is-enough", "two"))
                        .rounds(12)
                        .build();
        // Another number of blocks, so that a record of one loop would not fit the other.
        Training krum =
                new TrainingBuilder(training("multi-krum", "min-max", "two"))
                        .runId("recoverTwice")
                        .model(new Unsteady(new Quadratic(2 * DIMENSION, 1000), "two"))
                        .rounds(14)
                        .build();
        RunResult medianAlone = Restarts.run(median, 2);
        RunResult krumAlone = Restarts.run(krum, 2);

        List<RunResult> together =
                Restarts.disturbed("two", FAILURES, List.of(median, krum), 2, false);
        assertThat(together.get(0).parameters()).isEqualTo(medianAlone.parameters());
        assertThat(together.get(1).parameters()).isEqualTo(krumAlone.parameters());
        assertThat(together.get(0).rounds()).hasSize(12);
        assertThat(together.get(1).rounds()).hasSize(14);
    }
}
