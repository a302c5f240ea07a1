package dev.levee.federated.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.stream.IntStream;

class SpreadTest {
    /** (1 + 2 + 3)²/(3·(1 + 4 + 9)) = 36/42. */
    @Test
    void byHand() {
        Spread spread = Spread.of(new double[] {3, Double.NaN, 1, 2}, true);
        assertThat(spread.devices()).isEqualTo(3);
        assertThat(spread.mean()).isEqualTo(2);
        assertThat(spread.worstDecile()).isEqualTo(1);
        assertThat(spread.jain()).isCloseTo(36 / 42.0, within(1e-15));
    }

    /** Of 11 devices, the worst tenth is two: 1 and 2, or of errors 11 and 10. */
    @Test
    void theWorstTenthIsRoundedUp() {
        double[] scores = IntStream.rangeClosed(1, 11).asDoubleStream().toArray();
        assertThat(Spread.of(scores, true).worstDecile()).isEqualTo(1.5);
        assertThat(Spread.of(scores, false).worstDecile()).isEqualTo(10.5);
    }

    @Test
    void equalScoresAreFairAndOneOfManyIsNot() {
        assertThat(Spread.of(new double[] {0.5, 0.5, 0.5, 0.5}, true).jain()).isEqualTo(1);
        assertThat(Spread.of(new double[] {0, 0, 0, 0.5}, true).jain()).isEqualTo(0.25);
        assertThat(Spread.of(new double[0], true).mean()).isNaN();
    }
}
