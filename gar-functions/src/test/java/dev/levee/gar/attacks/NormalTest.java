package dev.levee.gar.attacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NormalTest {
    /** Quantiles as tables print them. */
    @ParameterizedTest
    @CsvSource({
        "0.5, 0",
        "0.75, 0.6744897501960817",
        "0.9, 1.2815515655446004",
        "0.975, 1.959963984540054",
        "0.995, 2.5758293035489004",
        "0.625, 0.31863936396437514",
        "0.001, -3.090232306167813",
        "1e-10, -6.361340902404056"
    })
    void quantilesAgreeWithTables(double p, double x) {
        assertThat(Normal.quantile(p)).isCloseTo(x, within(1e-13 * Math.max(1, Math.abs(x))));
    }

    @Test
    void quantileInvertsTheDistribution() {
        for (double x = -8; x <= 5; x += 0.0625) {
            double p = Normal.distribution(x);
            assertThat(Normal.quantile(p)).as("x = %s", x).isCloseTo(x, within(1e-9));
        }
        assertThat(Normal.distribution(-1)).isCloseTo(0.15865525393145705, within(1e-15));
        assertThat(Normal.distribution(2)).isCloseTo(0.9772498680518208, within(1e-15));
    }

    @Test
    void quantileReachesTheSmallestProbabilities() {
        assertThat(Normal.quantile(1e-300)).isCloseTo(-37.0471, within(1e-4));
        assertThatThrownBy(() -> Normal.quantile(0)).hasMessageContaining("in (0, 1)");
    }
}
