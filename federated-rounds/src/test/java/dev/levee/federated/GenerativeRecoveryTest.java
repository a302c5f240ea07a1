package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.RunResult;
import dev.levee.operators.rounds.Training;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;

import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Two networks, their moments and who was asked outlive failures: FeGAN ends with the same bits.
 */
@Tag("cluster")
@Tag("native")
class GenerativeRecoveryTest {
    private static final int FAILURES = 3;
    private static final int ROUNDS = 16;

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(2)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    private static Training training(String key) {
        Dataset data = Datasets.open(FederatedRuns.DATA, Datasets.Split.TRAIN);
        Federation fegan =
                new Federation(
                        Sampling.parse("balanced"),
                        3,
                        Capabilities.parse("equal"),
                        new LocalTraining(
                                new LocalSteps.Steps(2),
                                false,
                                Optimizer.of(OptimizerKind.ADAM, 0, 0.5),
                                LearningRate.parse("constant", 2e-4, ROUNDS),
                                0,
                                LocalState.KEEP),
                        Weighting.KL,
                        ServerSteps.parse("sgd"),
                        1,
                        Privacy.NONE);
        return fegan.of(
                FederatedRuns.run(ROUNDS)
                        .runId("fegan-" + key)
                        .model(
                                new Unsteady(
                                        Models.open(
                                                "lsgan:width=8,latent=8",
                                                data.shape(),
                                                data.classes()),
                                        key,
                                        23))
                        .build());
    }

    @Test
    void failuresChangeNoBit() throws Exception {
        Unsteady.failures("gan-often", FAILURES);
        Unsteady.failures("gan-never", 0);
        RunResult disturbed = FederatedRuns.onFlink(training("gan-often"));
        assertThat(Unsteady.left("gan-often")).isZero();
        RunResult quiet = FederatedRuns.onFlink(training("gan-never"));

        assertThat(disturbed.parameters()).isEqualTo(quiet.parameters());
        assertThat(disturbed.rounds()).hasSize(ROUNDS);
    }
}
