package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.steps.DynamicRegularizer;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.federated.steps.ServerSteps;

import org.junit.jupiter.api.Test;

import java.util.List;

/** FedDyn with α = 1, by hand: device 0 has the gradient w, device 1 has 2(w − 4). */
class DynamicRegularizerTest {
    private static final TwoParabolas PARABOLAS = new TwoParabolas(List.of(1, 2), List.of(0, 4));

    private static Federation averaging(int steps, double rate) {
        return new Federation(
                new Participation(Sampling.parse("uniform"), 2, Weighting.EQUAL),
                LocalTraining.sgd(new LocalSteps.Steps(steps), rate),
                ServerSteps.parse("sgd", 1));
    }

    private static Federation regularized(Federation plain) {
        return new Federation(
                plain.participation(),
                plain.local().with(new DynamicRegularizer(1)),
                plain.server());
    }

    /**
     * Two steps of 1/4. Round 1: 8 → 6 → 6 − (6 − 2)/4 = 5, and 8 → 6 → 6 − (4 − 2)/4 = 5.5. The
     * mean difference is 2.75, which is also u, so x = 8 − 5.5 = 2.5; g_0 = 3, g_1 = 2.5. Round 2:
     * device 0 goes 2.5 → 2.5 − (2.5 − 3)/4 = 2.625 → 2.625 − (2.625 − 3 + 0.125)/4 = 2.6875, and
     * device 1 goes 2.5 → 2.5 − (−3 − 2.5)/4 = 3.875 → 3.875 − (−0.25 − 2.5 + 1.375)/4 = 4.21875.
     * The mean difference is −0.953125 and u = 1.796875, so x = 1.65625.
     */
    @Test
    void roundsAreThoseOfThePaper() {
        Federation dynamic = regularized(averaging(2, 0.25));
        assertThat(PARABOLAS.after(1, dynamic)).isEqualTo(2.5f);
        assertThat(PARABOLAS.after(2, dynamic)).isEqualTo(1.65625f);
    }

    /** x + 2(x − 4) is zero at 8/3; FedAvg ends elsewhere. */
    @Test
    void endsAtTheOptimumWhereAveragingDoesNot() {
        Federation plain = averaging(8, 0.25);
        assertThat(PARABOLAS.after(100, regularized(plain))).isCloseTo(8 / 3f, within(1e-3f));
        assertThat(Math.abs(PARABOLAS.after(100, plain) - 8 / 3f)).isGreaterThan(0.3f);
    }

    @Test
    void otherServerStepsAreRefused() {
        Federation dynamic = regularized(averaging(2, 0.25));
        Federation heavy =
                new Federation(
                        dynamic.participation(),
                        dynamic.local(),
                        ServerSteps.parse("momentum(0.9)", 1));
        assertThatThrownBy(() -> heavy.check(PARABOLAS.training(1).build()))
                .hasMessageStartingWith("correction dynamic(alpha=1.0) needs optimizer sgd");
        assertThatThrownBy(() -> new DynamicRegularizer(0))
                .hasMessage("dynamic needs an alpha above 0, got 0.0");
    }
}
