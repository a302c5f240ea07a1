package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.data.Partition;
import dev.levee.federated.devices.Capabilities;
import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.plan.Asynchrony;
import dev.levee.federated.plan.StalenessWeight;
import dev.levee.federated.plan.VirtualRound;
import dev.levee.federated.plan.VirtualTime;
import dev.levee.federated.steps.LocalState;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.federated.steps.ServerSteps;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.flink.Unsteady;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.training.Admission;
import dev.levee.operators.rounds.training.Oracle;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.ServerStep;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;
import dev.levee.operators.testing.Disturbances;

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
    private static final int FAILURES = 3;
    private static final int ROUNDS = 40;
    private static final Disturbances CRASHES = Disturbances.delays(300).withCrashes(0.02, 0.01, 4);

    @RegisterExtension static final MiniClusterExtension CLUSTER = Recovered.cluster();

    private static Federation pulling(
            LocalTraining local, ServerStep server, Asynchrony asynchrony) {
        VirtualTime time = new VirtualTime(Capabilities.parse("lognormal(1)"), 0.7);
        return new Federation(
                        new Participation(Sampling.parse("uniform"), 9, Weighting.EQUAL),
                        local,
                        server)
                .with(new WithoutBarrier.Pulled(asynchrony, time));
    }

    /** Momentum that stays with the device, and devices that come and go. */
    static Training training(String step, int buffer, String rule, int f, String key) {
        Dataset data = Datasets.open(FederatedRuns.DATA, Datasets.Split.TRAIN);
        Federation federation =
                pulling(
                        new LocalTraining(
                                new LocalSteps.Steps(4),
                                false,
                                Optimizer.of(OptimizerKind.SGD, 0.5),
                                LearningRate.parse("inverse(decay=0.01)", 0.05, ROUNDS),
                                0.1,
                                LocalState.KEEP),
                        ServerSteps.parse(step, 0.6),
                        new Asynchrony(buffer, StalenessWeight.parse("polynomial(0.5)"), 7));
        return federation.of(
                FederatedRuns.run(ROUNDS)
                        .runId("pull-" + step + buffer + "-" + key)
                        .rule(Rules.parse(rule))
                        .byzantine(f)
                        .model(
                                new Unsteady(
                                        Models.open("logistic", data.shape(), data.classes()), key))
                        .build());
    }

    /** Zeno++ with a gradient of its own every seventh version; ten of twenty devices lie. */
    private static Training judged(String key) {
        Dataset data = Datasets.open(FederatedRuns.DATA, Datasets.Split.TRAIN);
        Federation federation =
                pulling(
                        LocalTraining.sgd(new LocalSteps.Steps(1), 0.05),
                        ServerSteps.parse("sgd", 0.2),
                        new Asynchrony(1, StalenessWeight.parse("constant"), 7, 7));
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
                                        Models.open("logistic", data.shape(), data.classes()), key))
                        .build());
    }

    /** What a failure had refused is refused again, and counted once. */
    @Test
    void refusalsAreTheSameThroughFailures() throws Exception {
        Recovered runs = Recovered.of(FAILURES, AsynchronousRecoveryTest::judged);
        RunResult quiet = runs.quiet();
        assertThat(refused(runs.disturbed())).isEqualTo(refused(quiet));
        // A reversed gradient that is taken was one that would have been refused.
        long[] lies = refused(quiet);
        long refusedLies = Arrays.stream(lies).skip(10).sum();
        long selectedLies = quiet.workers().stream().skip(10).mapToLong(w -> w.selected()).sum();
        assertThat(refusedLies).isGreaterThan(4 * selectedLies);
        long selected = quiet.workers().stream().mapToLong(w -> w.selected()).sum();
        assertThat(Arrays.stream(lies).sum() + selected).isEqualTo(ROUNDS);
        assertThat(selected).isGreaterThan(ROUNDS / 4);
        assertThat(runs.driven(2, cut(runs.calm()), CRASHES).restores()).isPositive();
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
        Recovered runs = Recovered.of(FAILURES, key -> training(step, buffer, rule, f, key));
        assertThat(runs.disturbed().rounds().stream().map(RoundReport::rows))
                .containsExactlyElementsOf(
                        FederatedRun.of(runs.calm()).simulated(ROUNDS).stream()
                                .map(VirtualRound::rows)
                                .toList());
        assertThat(runs.quiet().workers().stream().mapToLong(each -> each.accepted()).sum())
                .isEqualTo((long) ROUNDS * buffer);
        for (long seed = 1; seed <= 3; seed++) {
            assertThat(runs.driven(seed, cut(runs.calm()), CRASHES).restores()).isPositive();
        }
    }
}
