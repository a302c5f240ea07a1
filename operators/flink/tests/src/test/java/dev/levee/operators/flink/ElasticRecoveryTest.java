package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Attacks;
import dev.levee.operators.rounds.coding.Coding;
import dev.levee.operators.rounds.coding.GradientCode;
import dev.levee.operators.rounds.plan.BatchScaling;
import dev.levee.operators.rounds.plan.Elasticity;
import dev.levee.operators.rounds.training.CountOrShare;
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
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An elastic run whose workers and batch change on the way, and that fails again and again, ends
 * with the bits of one that changes as much and does not fail.
 */
@Tag("cluster")
class ElasticRecoveryTest {
    private static final int FAILURES = 3;
    private static final String CONTROL =
            "{\"timestamp\": 1, \"batchSize\": 5, \"workers\": 4, \"learningRate\": 0.1,"
                    + " \"fromRound\": 12}";

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(2)
                            .setNumberSlotsPerTaskManager(2)
                            .build());

    @TempDir private Path directory;

    private Training training(String failures) throws Exception {
        Path control = directory.resolve("control.json");
        Files.writeString(control, CONTROL);
        return training(failures, "trimmed-mean", 32, control);
    }

    private static Training training(String failures, String rule, long rounds, Path control) {
        Training base = Trainings.logistic(3, 1, rule, rounds);
        return new TrainingBuilder(base)
                .runId("elastic" + failures.charAt(0))
                .model(new Unsteady(new Quadratic(140_000, 1000), failures))
                .attack(Attacks.parse("little-is-enough"), 1)
                .batchSize(4)
                .work(new GradientWork(0.9))
                .evalInterval(50)
                .plan(
                        new Elasticity(
                                3,
                                6,
                                30,
                                0,
                                0.1,
                                BatchScaling.ADASCALE,
                                control.toUri().toString()))
                .build();
    }

    @Test
    void failuresChangeNoBit() throws Exception {
        // The run starts with three workers and finds four subtasks.
        RunResult disturbed = Restarts.disturbed("elastic", FAILURES, training("elastic"), 4);
        RunResult quiet = Restarts.run(training("quiet"), 4);

        assertThat(disturbed.parameters()).isEqualTo(quiet.parameters());
        assertThat(disturbed.rounds()).extracting(RoundReport::batchSize).contains(4, 5);
        assertThat(disturbed.rounds()).extracting(report -> report.rows().length).contains(3, 4);
        assertThat(disturbed.rounds()).hasSameSizeAs(quiet.rounds());
        assertThat(disturbed.workers().get(3).accepted())
                .isEqualTo(disturbed.rounds().size() - 1L)
                .isEqualTo(quiet.workers().get(3).accepted());
        // Step sizes follow the noise scale that was measured, and failures do not change it.
        assertThat(disturbed.rounds())
                .extracting(RoundReport::learningRate)
                .isEqualTo(quiet.rounds().stream().map(RoundReport::learningRate).toList());
        assertThat(disturbed.rounds().stream().mapToDouble(RoundReport::learningRate).distinct())
                .hasSizeGreaterThan(15);
    }

    /** A quarter of three workers is nobody, of four it is one, whom rounds do not wait for. */
    @Test
    void aShareOfLiarsFollowsTheWorkersOfAsynchronousRoundsThroughFailures() throws Exception {
        Path control = directory.resolve("control.json");
        Files.writeString(control, CONTROL);
        Training training =
                new TrainingBuilder(training("share", "trimmed-mean", 32, control))
                        .attack(null, 0)
                        .byzantine(CountOrShare.share("25%"))
                        .quorum(CountOrShare.share("75%"))
                        .build();
        RunResult result = Restarts.disturbed("share", 2, training, 4);
        assertThat(result.rounds())
                .extracting(RoundReport::workers)
                .contains(3, 4)
                .hasSizeGreaterThan(20);
        for (RoundReport round : result.rounds()) {
            assertThat(round.f()).isEqualTo(round.workers() == 3 ? 0 : 1);
            assertThat(round.rows().length).isBetween(3, round.workers());
        }
    }

    /** Two workers hold two shares each, then four do, of whom any three make a round. */
    @Test
    void codedSharesFollowTheWorkersThroughFailures() throws Exception {
        RunResult disturbed = Restarts.disturbed("coded", FAILURES, coded("coded"), 4);
        RunResult quiet = Restarts.run(coded("dull"), 4);
        assertThat(disturbed.parameters()).isEqualTo(quiet.parameters());
        assertThat(disturbed.rounds()).extracting(RoundReport::workers).contains(2, 4);
    }

    private static Training coded(String failures) {
        Elasticity plan = new Elasticity(2, 5, 26, 0, 0.1, null);
        GradientCode code = Coding.parse("fractional(1)").code(2, 1);
        return new TrainingBuilder(Trainings.logistic(2, 0, "average", 26))
                .runId("elastic" + failures)
                .model(new Unsteady(new Quadratic(140_000, 100), failures))
                .rule(Coding.rule(code, 0, plan))
                .work(Coding.work(code, plan))
                .quorum(new CountOrShare.AllBut(1))
                .batchSize(4)
                .evalInterval(50)
                .plan(plan)
                .build();
    }

    @Test
    void aRuleThatNeedsScoresHasThemOfWhoeverTakesPart() throws Exception {
        Path control = directory.resolve("control.json");
        Files.writeString(control, CONTROL);
        RunResult disturbed =
                Restarts.disturbed("zeno", 2, training("zeno", "zeno", 32, control), 4);
        RunResult quiet = Restarts.run(training("none", "zeno", 32, control), 4);

        assertThat(disturbed.parameters()).isEqualTo(quiet.parameters());
        // One of three is left out, and later one of four.
        assertThat(disturbed.rounds())
                .extracting(report -> report.selected().length)
                .contains(2, 3);
    }
}
