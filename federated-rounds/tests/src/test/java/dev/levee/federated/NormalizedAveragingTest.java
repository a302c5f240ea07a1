package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.steps.LocalState;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.federated.steps.ServerSteps;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.driver.RoundDriver;

import org.junit.jupiter.api.Test;

import java.util.List;

/** FedNova, by hand: device 0 takes one step toward 0, device 1 takes three toward 4. */
class NormalizedAveragingTest {
    private static final TwoParabolas PARABOLAS = new TwoParabolas(List.of(1, 1), List.of(0, 4));

    private static Federation averaging(double rate) {
        return new Federation(
                new Participation(Sampling.parse("uniform"), 2, Weighting.EQUAL),
                LocalTraining.sgd(new LocalSteps.Epochs(1), rate),
                ServerSteps.parse("sgd", 1));
    }

    private static Federation normalized(double rate) {
        return averaging(rate).with(new NormalizedAveraging());
    }

    /**
     * η = 1/2. Device 0 goes 8 → 4 and device 1 goes 8 → 6 → 5 → 4.5, with 1 and 3 steps, 2 on
     * average: x = 8 − 2·(4/1 + 3.5/3)/2 = 17/6. In general x ← x − x/2 − 7(x − 4)/24, so 253/144.
     */
    @Test
    void roundsAreThoseOfThePaper() {
        assertThat(PARABOLAS.after(1, normalized(0.5))).isCloseTo(17 / 6f, within(1e-6f));
        assertThat(PARABOLAS.after(2, normalized(0.5))).isCloseTo(253 / 144f, within(1e-6f));
    }

    /** Samples as weights, 1 to 3: the optimum is 3, and 2.5 steps are the mean. */
    @Test
    void weightsStayThoseOfTheDevices() {
        Federation weighted =
                new Federation(
                                new Participation(Sampling.parse("uniform"), 2, Weighting.SAMPLES),
                                LocalTraining.sgd(new LocalSteps.Epochs(1), 0.5),
                                ServerSteps.parse("sgd", 1))
                        .with(new NormalizedAveraging());
        // 8 − 2.5·(4/4 + 3·(3.5/3)/4)
        assertThat(PARABOLAS.after(1, weighted)).isCloseTo(8 - 2.5f * 1.875f, within(1e-6f));
    }

    /** The mean of both losses is least at 2, for small steps; FedAvg counts device 1 thrice. */
    @Test
    void endsAtTheOptimumWhereAveragingDoesNot() {
        assertThat(PARABOLAS.after(400, normalized(0.01))).isCloseTo(2, within(0.02f));
        assertThat(PARABOLAS.after(400, averaging(0.01))).isCloseTo(3, within(0.05f));
    }

    @Test
    void isAveragingIfAllTakeAsManySteps() {
        Federation plain = FederatedRuns.averaging("uniform", 3, new LocalSteps.Steps(4));
        assertThat(learned(plain.with(new NormalizedAveraging()))).isEqualTo(learned(plain));
    }

    private static float[] learned(Federation federation) {
        Training training = federation.of(FederatedRuns.run(6).build());
        try (LearnedGradients gradients = new LearnedGradients(training)) {
            return RoundDriver.of(training, 1).gradients(gradients).run().parameters();
        }
    }

    private static LocalTraining heavy(LocalState state) {
        return new LocalTraining(
                new LocalSteps.Epochs(1),
                false,
                Optimizer.of(OptimizerKind.SGD, 0.5),
                LearningRate.parse("constant", 0.5, 1),
                0,
                state);
    }

    /** With a momentum of 1/2, steps lead 1, 3/2 and 7/4 along a gradient that stays 1. */
    @Test
    void momentumLengthensSteps() {
        Upload sent =
                new NormalizedAveraging()
                        .sent(heavy(LocalState.RESET), new int[] {1, 3}, new double[] {1, 1});
        assertThat(((Upload.Normalized) sent).lengths()).containsExactly(1, 4.25);
    }

    @Test
    void whatHasNoLengthIsRefused() {
        Training run = PARABOLAS.training(1).build();
        Federation keeping =
                new Federation(
                                new Participation(Sampling.parse("uniform"), 2, Weighting.EQUAL),
                                heavy(LocalState.KEEP),
                                ServerSteps.parse("sgd", 1))
                        .with(new NormalizedAveraging());
        assertThatThrownBy(() -> keeping.check(run))
                .hasMessage(
                        "averaging normalized is for localOptimizer sgd, with localMomentum only if"
                                + " localState is reset");
        assertThatThrownBy(() -> normalized(0.5).with(new PartialSync(2, 1, 1)).check(run))
                .hasMessageStartingWith("averaging normalized is for rounds with a barrier");
    }
}
