package dev.levee.federated.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class WeightingTest {
    private static final int[] ALIKE = {30, 30, 30, 30};

    /** The shares of devices 1 and 3 of FeGAN's example in the mean of a round of these two. */
    private static double[] ofOneAndThree(Weighting weighting, int[] load) {
        double[] weights = weighting.weights(CensusTest.FOUR, load);
        double sum = weights[0] + weights[2];
        return new double[] {weights[0] / sum, weights[2] / sum};
    }

    private static void check(double[] shares, double first) {
        assertThat(shares[0]).isCloseTo(first, within(5e-7));
        assertThat(shares[1]).isCloseTo(1 - first, within(5e-7));
    }

    @Test
    void klAsTheThesisSays() {
        check(ofOneAndThree(Weighting.KL, ALIKE), 0.528553);
    }

    @Test
    void klTimesLoad() {
        // Twice the work: 2·0.528553 / (2·0.528553 + 0.471447)
        check(
                ofOneAndThree(Weighting.KL, new int[] {60, 30, 30, 30}),
                2 * 0.528553 / (0.528553 + 1));
    }

    @Test
    void klUnscaledLeavesTheShareOfSamplesOut() {
        // 1/(1 + e^(0.210965 − 0.993617))
        check(
                ofOneAndThree(Weighting.KL_UNSCALED, ALIKE),
                1 / (1 + Math.exp(0.2109648 - 0.9936168)));
    }

    @Test
    void klCodeHasTheOtherSign() {
        check(ofOneAndThree(Weighting.KL_CODE, ALIKE), 0.471447);
    }

    /** Devices that take no local step only score the model. */
    @Test
    void devicesWithoutLoadWeighAlike() {
        check(ofOneAndThree(Weighting.KL, new int[4]), 0.528553);
        check(ofOneAndThree(Weighting.KL_CODE, new int[4]), 0.471447);
    }

    @Test
    void samplesAndEqual() {
        check(ofOneAndThree(Weighting.SAMPLES, ALIKE), 20.0 / 30);
        check(ofOneAndThree(Weighting.EQUAL, new int[] {1, 2, 3, 4}), 0.5);
    }
}
