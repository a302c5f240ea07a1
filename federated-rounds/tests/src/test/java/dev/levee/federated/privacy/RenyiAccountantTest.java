package dev.levee.federated.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RenyiAccountantTest {
    /** Values of the series that Opacus adds up (Mironov et al., section 3.3), at its orders. */
    @ParameterizedTest
    @CsvSource({
        "0.01, 1.0, 1000, 1e-5, 2.101365271643",
        "0.05, 1.1, 100, 1e-5, 3.312107848787",
        "0.1, 0.7, 50, 1e-6, 13.937951656386",
        "0.5, 2.0, 200, 1e-5, 23.621907181314",
        "1, 1.0, 100, 1e-5, 96.116308425056",
        "1, 5.0, 10, 1e-5, 2.813653247130",
        "0.02, 4.0, 1000, 1e-5, 0.637173666333",
        "0.001, 0.5, 10000, 1e-5, 6.418367323135"
    })
    void equalsOpacus(double rate, double noise, long rounds, double delta, double epsilon) {
        assertThat(new RenyiAccountant(rate, noise).epsilon(rounds, delta))
                .isCloseTo(epsilon, within(1e-8));
    }

    /** For α = 2 the moment is 1 + q²(e^(1/σ²) − 1). */
    @Test
    void theSecondOrderHasAClosedForm() {
        for (double rate : new double[] {0.001, 0.1, 0.9}) {
            for (double noise : new double[] {0.5, 1, 20}) {
                double moment = 1 + rate * rate * Math.expm1(1 / (noise * noise));
                assertThat(RenyiAccountant.divergence(rate, noise, 2))
                        .isCloseTo(Math.log(moment), within(1e-12));
            }
        }
    }

    @Test
    void whoIsInEveryRoundIsNotHiddenBySampling() {
        assertThat(RenyiAccountant.divergence(1, 2, 10)).isEqualTo(10 / 8.0);
        assertThat(RenyiAccountant.divergence(1 - 1e-12, 2, 10)).isCloseTo(1.25, within(1e-9));
    }

    /** The integral would take hours: its points are as many as 1/σ² is large. */
    @Test
    void hardlyAnyNoiseIsBoundedAtOnce() {
        double square = 0.001 * 0.001;
        double order = 1.1;
        assertThat(RenyiAccountant.divergence(0.1, 0.001, order))
                .isCloseTo(order / (2 * square) + order / (order - 1) * Math.log(0.1), within(1e-6))
                .isLessThan(RenyiAccountant.divergence(1, 0.001, order));
        assertThat(new RenyiAccountant(0.1, 1e-200).epsilon(1, 1e-5))
                .isEqualTo(Double.POSITIVE_INFINITY);
    }

    /** So less noise never seems to cost less. */
    @Test
    void theBoundIsAboveTheIntegralThatItReplaces() {
        for (double noise : new double[] {0.05, 0.3, 1}) {
            for (double order : new double[] {1.1, 2, 8}) {
                double exact = RenyiAccountant.divergence(0.01, noise, order);
                double bound = RenyiAccountant.mostLogMoment(0.01, noise, order) / (order - 1);
                assertThat(bound).isBetween(exact * (1 - 1e-12), order / (2 * noise * noise));
            }
        }
        assertThat(RenyiAccountant.divergence(0.1, 0.0499, 3))
                .isGreaterThan(RenyiAccountant.divergence(0.1, 0.05, 3));
    }

    @Test
    void moreNoiseFewerRoundsOrARarerSampleSayLess() {
        double epsilon = new RenyiAccountant(0.1, 1).epsilon(100, 1e-5);
        assertThat(new RenyiAccountant(0.1, 1.5).epsilon(100, 1e-5)).isLessThan(epsilon);
        assertThat(new RenyiAccountant(0.1, 1).epsilon(50, 1e-5)).isLessThan(epsilon);
        assertThat(new RenyiAccountant(0.05, 1).epsilon(100, 1e-5)).isLessThan(epsilon);
        assertThat(new RenyiAccountant(0.1, 1).epsilon(100, 1e-3)).isLessThan(epsilon);
        assertThat(new RenyiAccountant(0.0001, 1000).epsilon(1, 0.5)).isNotNegative();
    }

    @Test
    void refusesWhatIsNoProbability() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RenyiAccountant(1.5, 1).epsilon(1, 1e-5))
                .withMessage("a sampling rate must be above 0 and at most 1, got 1.5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RenyiAccountant(0.5, 0).epsilon(1, 1e-5))
                .withMessage("noise must be above 0, got 0.0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RenyiAccountant(0.5, 1).epsilon(1, 0))
                .withMessage("delta must be above 0 and below 1, got 0.0");
    }
}
