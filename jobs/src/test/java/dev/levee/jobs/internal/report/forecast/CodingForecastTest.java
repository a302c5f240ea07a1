package dev.levee.jobs.internal.report.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CodingForecastTest {
    private static final String HEAD = "version,compute,ship,rows,workers\n";

    /** The first round starts everything and does not count. */
    @Test
    void fitsToTheRoundsOfARun() {
        CodingForecast forecast =
                CodingForecast.of(
                        HEAD
                                + "0,,,,\n1,9,9,0 1,2\n2,1,0.5,0 1,2\n3,1.5,0.5,0 1,2\n"
                                + "4,2,0.5,0 1,2\n");
        // Mean 2, variance 1/4: delay √(1/5), of two shares 3/2 delays.
        double delay = Math.sqrt(0.2);
        double least = 2 - 1.5 * delay;
        assertThat(forecast.waitedFor()).isEqualTo(2);
        assertThat(forecast.times().mu()).isCloseTo(least / delay, within(1e-12));
        assertThat(forecast.times().all()).isCloseTo(2, within(1e-12));
        assertThat(forecast.table()).hasSize(3);
        assertThat(forecast.table().get(1))
                .containsExactly("0", "2000.0", "2000.0", "2000.0", "2000.0");
        assertThat(forecast.values()).containsKeys("mu", "bestK", "bestShare", "choices");
    }

    @Test
    void whatHasNoRoundsIsRefused() {
        assertThatThrownBy(() -> CodingForecast.of("a,b\n1,2\n"))
                .hasMessage("it has no columns compute, ship, rows and workers");
        assertThatThrownBy(() -> CodingForecast.of(HEAD + "0,,,,\n"))
                .hasMessage("it needs more than one round");
    }
}
