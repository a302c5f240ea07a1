package dev.levee.federated.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** FeGAN's example of four devices and four classes, worked by hand. */
class CensusTest {
    static final Census FOUR =
            Census.of(new int[][] {{8, 7, 5, 0}, {6, 4, 2, 0}, {0, 0, 3, 7}, {0, 3, 3, 2}});

    @Test
    void countsDevicesAndClasses() {
        assertThat(FOUR.devices()).isEqualTo(4);
        assertThat(FOUR.classes()).isEqualTo(4);
        assertThat(FOUR.samples(0)).isEqualTo(20);
        assertThat(FOUR.samples(2)).isEqualTo(10);
        assertThat(FOUR.samples()).isEqualTo(50);
        assertThat(FOUR.count(3, 1)).isEqualTo(3);
    }

    @Test
    void divergesFromWhatAllHold() {
        // Q = (14, 14, 13, 9)/50
        double[] expected = {0.210965, 0.273913, 0.993617, 0.329019};
        for (int device = 0; device < 4; device++) {
            assertThat(FOUR.divergence(device)).isCloseTo(expected[device], within(5e-7));
        }
    }

    @Test
    void knowsHowMixedADeviceIs() {
        // Shares 0, 0, 3/10 and 7/10
        assertThat(FOUR.entropy(2))
                .isCloseTo(-0.3 * Math.log(0.3) - 0.7 * Math.log(0.7), within(1e-12));
        assertThat(Census.of(new int[][] {{3, 0}}).entropy(0)).isZero();
    }

    @Test
    void whoHoldsWhatAllHoldDoesNotDiverge() {
        Census alike = Census.of(new int[][] {{2, 4}, {1, 2}});
        assertThat(alike.divergence(0)).isCloseTo(0, within(1e-15));
    }

    @Test
    void refusesDevicesWithoutSamples() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Census.of(new int[][] {{1, 2}, {0, 0}}))
                .withMessage(
                        "device 1 must hold at least one sample and none less than 0 times, got"
                                + " [0, 0]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Census.of(new int[][] {{1, 2}, {1}}))
                .withMessage("device 1 counts 1 classes, device 0 2");
    }
}
