package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.steps.LocalState;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.federated.steps.ServerSteps;
import dev.levee.learners.GenerativeModel;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.learners.NetworkRange;
import dev.levee.learners.WrappedModel;
import dev.levee.operators.flink.Unsteady;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.training.Training;

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

    @RegisterExtension static final MiniClusterExtension CLUSTER = Recovered.cluster();

    private static LocalTraining adam(int steps) {
        return new LocalTraining(
                new LocalSteps.Steps(steps),
                false,
                Optimizer.of(OptimizerKind.ADAM, 0, 0.5),
                LearningRate.parse("constant", 2e-4, ROUNDS),
                0,
                LocalState.KEEP);
    }

    private static Training training(String key) {
        Dataset data = Datasets.open(FederatedRuns.DATA, Datasets.Split.TRAIN);
        Federation fegan =
                new Federation(
                        new Participation(Sampling.parse("balanced"), 3, Weighting.KL),
                        adam(2),
                        ServerSteps.parse("sgd", 1));
        return fegan.of(
                FederatedRuns.run(ROUNDS)
                        .runId("fegan-" + key)
                        .model(
                                new Unsteady(
                                        Models.open(
                                                "lsgan:width=8,latent=8",
                                                data.shape(),
                                                data.classes()),
                                        key))
                        .build());
    }

    /** A generator whose learner fails now and then. */
    private record Failing(GenerativeModel model, Unsteady unsteady)
            implements GenerativeModel, WrappedModel {
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
                                new Participation(Sampling.parse("uniform"), 4, Weighting.EQUAL),
                                adam(1),
                                ServerSteps.parse(
                                        "adam(beta1=0.5,beta2=0.999,tau=1e-8,v0=0,bias-correction=true)",
                                        2e-4))
                        .with(new Swapping(2));
        return mdgan.of(
                FederatedRuns.run(ROUNDS)
                        .workers(4)
                        .runId("mdgan-" + key)
                        .model(new Failing((GenerativeModel) model, new Unsteady(model, key)))
                        .build());
    }

    @Test
    void failuresChangeNoBitWhereDiscriminatorsChangePlaces() throws Exception {
        Recovered runs = Recovered.of(FAILURES, GenerativeRecoveryTest::swapping);
        Training calm = runs.calm();
        float[] parameters = runs.quiet().parameters();

        // What the server has in the discriminator's place is what it began with.
        NetworkRange discriminator = ((GenerativeModel) calm.model()).discriminator();
        assertThat(discriminator.of(parameters))
                .isEqualTo(discriminator.of(calm.model().initialParameters(calm.seed())));
        NetworkRange generator = ((GenerativeModel) calm.model()).generator();
        assertThat(generator.of(parameters))
                .isNotEqualTo(generator.of(calm.model().initialParameters(calm.seed())));
    }

    @Test
    void failuresChangeNoBit() throws Exception {
        Recovered.of(FAILURES, GenerativeRecoveryTest::training);
    }
}
