package dev.levee.federated.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

class CapabilitiesTest {
    private static final int DEVICES = 20_000;

    /**
     * The mean of the absolute value of a normal number is √(2/π), its deviation √(1 − 2/π) = 0.60;
     * that of the mean of 20,000 is 0.0043, and four of them are allowed.
     */
    @Test
    void timesAreHalfNormalAboveTheLeast() {
        double[] speeds = Capabilities.parse("half-normal(0.25)").draw(DEVICES, 3);
        double[] times = Arrays.stream(speeds).map(speed -> 1 / speed - 0.25).sorted().toArray();
        assertThat(times[0]).isBetween(-1e-12, 1e-3);
        assertThat(Arrays.stream(times).average().orElseThrow())
                .isCloseTo(Math.sqrt(2 / Math.PI), within(0.018));
        // Half of normal numbers are within 0.6745 deviations.
        assertThat(times[DEVICES / 2]).isCloseTo(0.6745, within(0.025));
    }

    @Test
    void drawsTheSameBySeed() {
        Capabilities law = Capabilities.parse("half-normal(least=0.01)");
        assertThat(law.draw(50, 3)).isEqualTo(law.draw(50, 3)).isNotEqualTo(law.draw(50, 4));
        assertThat(law.draw(50, 3)).startsWith(law.draw(20, 3));
    }

    @Test
    void refusesInOneSentence() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Capabilities.parse("half-normal(0)"))
                .withMessage("half-normal(least) needs 0 < least, got half-normal(0)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Capabilities.parse("normal(1)"))
                .withMessage(
                        "unknown law of capabilities normal: known are equal, uniform(low,"
                                + " high), lognormal(sigma), half-normal(least)");
    }
}
