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
                                + "4,2,0.5,0 1,2\n",
                        0,
                        1);
        // As in WaitingTimesTest: quartiles 1.75, 2 and 2.25.
        double delay = 0.5 / (2.0101 - 0.6931);
        double least = 2 - 1.2279 * delay;
        assertThat(forecast.waitedFor()).isEqualTo(2);
        assertThat(forecast.times().mu()).isCloseTo(least / delay, within(1e-3));
        // Both shares: the least time and 3/2 delays.
        assertThat(forecast.times().all()).isCloseTo(least + 1.5 * delay, within(1e-3));
        assertThat(forecast.table()).hasSize(3);
        assertThat(forecast.table().get(1))
                .containsExactly("0", "2103.3", "2103.3", "2103.3", "2103.3", "2103.3", "1.00");
        assertThat(CodingPage.of(forecast)).contains("<svg", "coded product", "Energy");
        assertThat(forecast.values()).containsKeys("mu", "bestK", "bestShare", "choices");
    }

    @Test
    void whatHasNoRoundsIsRefused() {
        assertThatThrownBy(() -> CodingForecast.of("a,b\n1,2\n", 0, 1))
                .hasMessage("it has no columns version, compute, ship, rows and workers");
        assertThatThrownBy(() -> CodingForecast.of(HEAD + "0,,,,\n", 0, 1))
                .hasMessage("it needs more than one round");
        assertThatThrownBy(
                        () ->
                                CodingForecast.of(
                                        HEAD + "4,9,9,0 1,2\n8,4,2,0 1,2\n12,6,2,0 1,2\n", 0, 1))
                .hasMessageStartingWith("its rows have the seconds of several rounds each");
    }
}
