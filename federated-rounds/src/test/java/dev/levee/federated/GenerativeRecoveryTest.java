package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.learners.GenerativeModel;
import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.learners.NetworkRange;
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

    /** A generator whose learner fails now and then. */
    private record Failing(GenerativeModel model, Unsteady unsteady) implements GenerativeModel {
        private static final long serialVersionUID = 1L;

        @Override
        public String name() {
            return model.name();
        }

        @Override
        public Layout layout() {
            return model.layout();
        }

        @Override
        public float[] initialParameters(long seed) {
            return model.initialParameters(seed);
        }

        @Override
        public Learner newLearner() {
            return unsteady.newLearner();
        }

        @Override
        public int latent() {
            return model.latent();
        }

        @Override
        public int[] image() {
            return model.image();
        }

        @Override
        public float[] generate(float[] parameters, int count, long seed) {
            return model.generate(parameters, count, seed);
        }
    }

    /** Discriminators that stay with their devices, and change places every other round. */
    private static Training swapping(String key) {
        Dataset data = Datasets.open(FederatedRuns.DATA, Datasets.Split.TRAIN);
        Model model = Models.open("lsgan:width=8,latent=8", data.shape(), data.classes());
        Federation mdgan =
                new Federation(
                        Sampling.parse("uniform"),
                        4,
                        Capabilities.parse("equal"),
                        new LocalTraining(
                                new LocalSteps.Steps(1),
                                false,
                                Optimizer.of(OptimizerKind.ADAM, 0, 0.5),
                                LearningRate.parse("constant", 2e-4, ROUNDS),
                                0,
                                LocalState.KEEP),
                        Weighting.EQUAL,
                        ServerSteps.parse(
                                "adam(beta1=0.5,beta2=0.999,tau=1e-8,v0=0,bias-correction=true)"),
                        2e-4,
                        Privacy.NONE,
                        null,
                        null,
                        Deadline.NONE,
                        null,
                        new Swapping(2));
        return mdgan.of(
                FederatedRuns.run(ROUNDS)
                        .workers(4)
                        .runId("mdgan-" + key)
                        .model(new Failing((GenerativeModel) model, new Unsteady(model, key, 13)))
                        .build());
    }

    @Test
    void failuresChangeNoBitWhereDiscriminatorsChangePlaces() throws Exception {
        Unsteady.failures("swap-often", FAILURES);
        Unsteady.failures("swap-never", 0);
        RunResult disturbed = FederatedRuns.onFlink(swapping("swap-often"));
        assertThat(Unsteady.left("swap-often")).isZero();
        Training calm = swapping("swap-never");
        RunResult quiet = FederatedRuns.onFlink(calm);

        assertThat(disturbed.parameters()).isEqualTo(quiet.parameters());
        // What the server has in the discriminator's place is what it began with.
        NetworkRange discriminator = ((GenerativeModel) calm.model()).discriminator();
        assertThat(discriminator.of(quiet.parameters()))
                .isEqualTo(discriminator.of(calm.model().initialParameters(calm.seed())));
        NetworkRange generator = ((GenerativeModel) calm.model()).generator();
        assertThat(generator.of(quiet.parameters()))
                .isNotEqualTo(generator.of(calm.model().initialParameters(calm.seed())));
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
