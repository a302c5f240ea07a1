package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.federated.steps.ServerSteps;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.driver.RoundDriver;

import org.junit.jupiter.api.Test;

import java.util.List;

/** q-FedAvg with one step of 1/4, by hand: device 0 has the loss w²/2, device 1 (w − 4)²/2. */
class FairAveragingTest {
    private static final TwoParabolas PARABOLAS = new TwoParabolas(List.of(1, 1), List.of(0, 4));

    private static Federation averaging(double rate) {
        return new Federation(
                new Participation(Sampling.parse("uniform"), 2, Weighting.EQUAL),
                LocalTraining.sgd(new LocalSteps.Steps(1), rate),
                ServerSteps.parse("sgd", 1));
    }

    /**
     * q = 1, L = 4. Losses at 8 are 32 and 8, differences 2 and 1, so Δ = 32·4·2 and 8·4·1, and h =
     * 64 + 128 and 16 + 32: x = 8 − 288/240 = 6.8. Then losses are 23.12 and 3.92, differences 1.7
     * and 0.7, Δ = 157.216 and 10.976, h = 46.24 + 92.48 and 7.84 + 15.68.
     */
    @Test
    void roundsAreThoseOfThePaper() {
        Federation fair = averaging(0.25).with(new FairAveraging(1));
        assertThat(PARABOLAS.after(1, fair)).isCloseTo(6.8f, within(1e-5f));
        assertThat(PARABOLAS.after(2, fair))
                .isCloseTo((float) (6.8 - 168.192 / 162.24), within(1e-5f));
    }

    /** The device that holds more samples no longer decides alone whose loss is small. */
    @Test
    void lossesBecomeMoreAlike() {
        Federation bySamples =
                new Federation(
                        new Participation(Sampling.parse("uniform"), 2, Weighting.SAMPLES),
                        averaging(0.25).local(),
                        ServerSteps.parse("sgd", 1));
        // FedAvg ends at the weighted mean of the optima, 3; equal losses are at 2.
        float plain = PARABOLAS.after(200, bySamples);
        float fair = PARABOLAS.after(200, bySamples.with(new FairAveraging(5)));
        assertThat(plain).isCloseTo(3, within(1e-3f));
        assertThat(fair).isBetween(1.9f, 2.4f);
    }

    @Test
    void isAveragingWithoutFairness() {
        Federation plain = FederatedRuns.averaging("uniform", 3, new LocalSteps.Steps(4));
        assertThat(learned(plain.with(new FairAveraging(0)))).isEqualTo(learned(plain));
    }

    private static float[] learned(Federation federation) {
        Training training = federation.of(FederatedRuns.run(6).build());
        try (LearnedGradients gradients = new LearnedGradients(training)) {
            return RoundDriver.of(training, 1).gradients(gradients).run().parameters();
        }
    }

    @Test
    void rulesWithoutWeightsAreRefused() {
        Training run = PARABOLAS.training(1).rule(Rules.parse("median")).build();
        assertThatThrownBy(() -> averaging(0.25).with(new FairAveraging(1)).check(run))
                .hasMessage(
                        "averaging fair(q=1.0) needs a rule that takes weights, such as average, got"
                                + " median");
        assertThatThrownBy(() -> new FairAveraging(-1))
                .hasMessage("fair needs a number q of at least 0, got -1.0");
    }
}
