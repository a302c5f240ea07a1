package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.data.Partition;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.Admission;
import dev.levee.operators.rounds.Oracle;
import dev.levee.operators.rounds.Rejection;
import dev.levee.operators.rounds.RoundReport;
import dev.levee.operators.rounds.RunResult;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.Training;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.DrivenRun;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.RoundDriver;

import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;

/** Asynchronous runs that fail again and again end with the bits of runs that nobody disturbed. */
@Tag("cluster")
class AsynchronousRecoveryTest {
    private static final int FAILURES = 4;
    private static final int ROUNDS = 60;

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(2)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    /** Momentum that stays with the device, and devices that come and go. */
    static Training training(String step, int buffer, String rule, int f, String key) {
        Dataset data = Datasets.open(FederatedRuns.DATA, Datasets.Split.TRAIN);
        Federation federation =
                new Federation(
                        Sampling.parse("uniform"),
                        9,
                        Capabilities.parse("equal"),
                        new LocalTraining(
                                new LocalSteps.Steps(4),
                                false,
                                Optimizer.of(OptimizerKind.SGD, 0.5),
                                LearningRate.parse("inverse(decay=0.01)", 0.05, ROUNDS),
                                0.1,
                                LocalState.KEEP),
                        Weighting.EQUAL,
                        ServerSteps.parse(step),
                        0.6,
                        Privacy.NONE,
                        new Asynchrony(buffer, StalenessWeight.parse("polynomial(0.5)"), 7),
                        new VirtualTime(Capabilities.parse("lognormal(1)"), 0.7),
                        Deadline.NONE,
                        null);
        return federation.of(
                FederatedRuns.run(ROUNDS)
                        .runId("pull-" + step + buffer + "-" + key)
                        .rule(Rules.parse(rule))
                        .byzantine(f)
                        .model(
                                new Unsteady(
                                        Models.open("logistic", data.shape(), data.classes()),
                                        key,
                                        53))
                        .build());
    }

    /** Zeno++ with a gradient of its own every seventh version; ten of twenty devices lie. */
    private static Training judged(String key) {
        Dataset data = Datasets.open(FederatedRuns.DATA, Datasets.Split.TRAIN);
        Federation federation =
                new Federation(
                        Sampling.parse("uniform"),
                        9,
                        Capabilities.parse("equal"),
                        new LocalTraining(
                                new LocalSteps.Steps(1),
                                false,
                                Optimizer.of(OptimizerKind.SGD, 0),
                                LearningRate.parse("constant", 0.05, ROUNDS),
                                0,
                                LocalState.RESET),
                        Weighting.EQUAL,
                        ServerSteps.parse("sgd"),
                        0.2,
                        Privacy.NONE,
                        new Asynchrony(1, StalenessWeight.parse("constant"), 7, 7, null),
                        new VirtualTime(Capabilities.parse("lognormal(1)"), 0.7),
                        Deadline.NONE,
                        null);
        return federation.of(
                FederatedRuns.run(ROUNDS)
                        .runId("judged-" + key)
                        .rule(Rules.parse("zeno++"))
                        .oracle(new Oracle(null, 32))
                        .nonFinite(Admission.NonFinite.KEEP)
                        .attack(Attacks.parse("reversed"), 10)
                        .partition(Partition.parse("iid"))
                        .model(
                                new Unsteady(
                                        Models.open("logistic", data.shape(), data.classes()),
                                        key,
                                        23))
                        .build());
    }

    /** What a failure had refused is refused again, and counted once. */
    @Test
    void refusalsAreTheSameThroughFailures() throws Exception {
        Unsteady.failures("often", FAILURES);
        Unsteady.failures("never", 0);
        RunResult disturbed = FederatedRuns.onFlink(judged("often"));
        assertThat(Unsteady.left("often")).isZero();
        Training calm = judged("never");
        RunResult quiet = FederatedRuns.onFlink(calm);

        assertThat(disturbed.parameters()).isEqualTo(quiet.parameters());
        assertThat(refused(disturbed)).isEqualTo(refused(quiet));
        // A reversed gradient that is taken was one that would have been refused.
        long[] lies = refused(quiet);
        long refusedLies = Arrays.stream(lies).skip(10).sum();
        long selectedLies = quiet.workers().stream().skip(10).mapToLong(w -> w.selected()).sum();
        assertThat(refusedLies).isGreaterThan(4 * selectedLies);
        long selected = quiet.workers().stream().mapToLong(w -> w.selected()).sum();
        assertThat(Arrays.stream(lies).sum() + selected).isEqualTo(ROUNDS);
        assertThat(selected).isGreaterThan(ROUNDS / 4);
        try (LearnedGradients gradients = new LearnedGradients(calm)) {
            DrivenRun driven =
                    RoundDriver.of(calm, 2)
                            .slices(cut(calm))
                            .gradients(gradients)
                            .disturbances(Disturbances.delays(300).withCrashes(0.02, 0.01, 4))
                            .run();
            assertThat(driven.restores()).isPositive();
            assertThat(driven.parameters()).isEqualTo(quiet.parameters());
        }
    }

    private static long[] refused(RunResult result) {
        return result.workers().stream()
                .mapToLong(each -> each.rejected()[Rejection.LOW_SCORE.ordinal()])
                .toArray();
    }

    private static Slices cut(Training training) {
        Slices whole = Slices.of(training.model().layout());
        return new Slices(whole.dimension(), whole.trainable(), whole.dimension() / 3);
    }

    @ParameterizedTest
    @CsvSource({"mix, 1, average, 0", "sgd, 4, average, 0", "sgd, 5, trimmed-mean, 1"})
    void failuresChangeNoBit(String step, int buffer, String rule, int f) throws Exception {
        Unsteady.failures("often", FAILURES);
        Unsteady.failures("never", 0);
        RunResult disturbed = FederatedRuns.onFlink(training(step, buffer, rule, f, "often"));
        assertThat(Unsteady.left("often")).isZero();
        Training calm = training(step, buffer, rule, f, "never");
        RunResult quiet = FederatedRuns.onFlink(calm);

        assertThat(disturbed.parameters()).isEqualTo(quiet.parameters());
        assertThat(disturbed.rounds()).hasSize(ROUNDS);
        assertThat(disturbed.rounds().stream().map(RoundReport::rows))
                .containsExactlyElementsOf(
                        Federation.simulated(calm, ROUNDS).stream()
                                .map(VirtualRound::rows)
                                .toList());
        assertThat(quiet.workers().stream().mapToLong(each -> each.accepted()).sum())
                .isEqualTo((long) ROUNDS * buffer);
        try (LearnedGradients gradients = new LearnedGradients(calm)) {
            for (long seed = 1; seed <= 3; seed++) {
                DrivenRun driven =
                        RoundDriver.of(calm, seed)
                                .slices(cut(calm))
                                .gradients(gradients)
                                .disturbances(Disturbances.delays(300).withCrashes(0.02, 0.01, 4))
                                .run();
                assertThat(driven.restores()).isPositive();
                assertThat(driven.parameters()).isEqualTo(quiet.parameters());
            }
        }
    }
}
