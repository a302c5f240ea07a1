package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Attacks;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.RoundReport;
import dev.levee.operators.rounds.RunResult;
import dev.levee.operators.rounds.Training;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.RoundDriver;

import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.function.Function;

/** Federated runs that fail again and again end with the bits of runs that nobody disturbed. */
@Tag("cluster")
class FederatedRecoveryTest {
    private static final int FAILURES = 4;
    private static final int ROUNDS = 50;

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(2)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    /** Adam on the devices, whose moments stay with them; Yogi at the server. */
    private static Training kept(String sampling, String attack, String key) {
        return training(
                sampling,
                attack,
                key,
                new LocalTraining(
                        new LocalSteps.Steps(5),
                        true,
                        Optimizer.of(OptimizerKind.ADAM, 0),
                        LearningRate.parse("inverse(decay=0.01)", 0.01, ROUNDS),
                        0.1,
                        LocalState.KEEP));
    }

    /** AdaAlter on the devices, whose denominators the server averages. */
    private static Training averaged(String sampling, String attack, String key) {
        return training(
                sampling,
                attack,
                key,
                new LocalTraining(
                        new LocalSteps.Steps(5),
                        false,
                        new AdaAlter(1),
                        LearningRate.parse("constant", 0.5, ROUNDS),
                        0,
                        LocalState.AVERAGE));
    }

    private static Training training(
            String sampling, String attack, String key, LocalTraining local) {
        Dataset data = Datasets.open(FederatedRuns.DATA, Datasets.Split.TRAIN);
        Federation federation =
                new Federation(
                        Sampling.parse(sampling),
                        4,
                        Capabilities.parse("lognormal(0.5)"),
                        local,
                        Weighting.KL,
                        ServerSteps.parse("yogi"),
                        0.02,
                        Privacy.NONE);
        return federation.of(
                FederatedRuns.run(ROUNDS)
                        .attack(Attacks.parse(attack), attack.equals("none") ? 0 : 6)
                        .runId("recover-" + sampling + "-" + key)
                        .model(
                                new Unsteady(
                                        Models.open("logistic", data.shape(), data.classes()),
                                        key,
                                        53))
                        .build());
    }

    @ParameterizedTest
    @CsvSource({"balanced, none", "poisson, little-is-enough(z=1.5)"})
    void failuresChangeNoBit(String sampling, String attack) throws Exception {
        check(key -> kept(sampling, attack, key));
    }

    @Test
    void failuresChangeNoBitOfWhatTravelsBehindTheModel() throws Exception {
        check(key -> averaged("uniform", "none", key));
    }

    private static void check(Function<String, Training> trainings) throws Exception {
        Unsteady.failures("often", FAILURES);
        Unsteady.failures("never", 0);
        RunResult disturbed = FederatedRuns.onFlink(trainings.apply("often"));
        assertThat(Unsteady.left("often")).isZero();
        Training calm = trainings.apply("never");
        RunResult quiet = FederatedRuns.onFlink(calm);

        assertThat(disturbed.parameters()).isEqualTo(quiet.parameters());
        assertThat(disturbed.rounds()).hasSize(ROUNDS);
        assertThat(disturbed.rounds().stream().map(RoundReport::rows))
                .containsExactlyElementsOf(quiet.rounds().stream().map(RoundReport::rows).toList());
        try (LearnedGradients gradients = new LearnedGradients(calm)) {
            float[] driven =
                    RoundDriver.of(calm, 5)
                            .gradients(gradients)
                            .disturbances(Disturbances.delays(300).withCrashes(0.01, 0.002, 3))
                            .run()
                            .parameters();
            assertThat(driven).isEqualTo(quiet.parameters());
        }
    }
}
