package dev.levee.federated.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.operators.rounds.securesum.SumOutcome;
import dev.levee.operators.rounds.securesum.SumTask;
import dev.levee.operators.rounds.securesum.plan.SumRates;
import dev.levee.operators.testing.securesum.DeviceBehavior;
import dev.levee.operators.testing.securesum.SumRun;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

class SumCodingTest {
    private static final SplittableRandom RANDOM = new SplittableRandom(1);

    private static int[] add(int[] first, int[] second) {
        int[] sum = first.clone();
        for (int i = 0; i < sum.length; i++) {
            sum[i] += second[i];
        }
        return sum;
    }

    /** (1·2 + ½·(−1)) / 1½ = 1, and (1·0 + ½·3) / 1½ = 1. */
    @Test
    void aWeightedMeanByHand() {
        SumCoding coding = new SumCoding(Privacy.NONE, 4, 2, 2);
        assertThat(coding.unit()).isCloseTo(2 * 4 / Math.scalb(1.0, 31), within(1e-15));
        int[] sum =
                add(
                        coding.encode(new float[] {2, 0}, 1, RANDOM),
                        coding.encode(new float[] {-1, 3}, 0.5, RANDOM));
        assertThat(mean(sum)).containsExactly(new float[] {1, 1}, within(1e-7f));
    }

    /** The weighted mean of the devices in a sum of what they have encoded. */
    private static float[] mean(int[] sum) {
        double weights = sum[sum.length - 1];
        float[] mean = new float[sum.length - 1];
        for (int i = 0; i < mean.length; i++) {
            mean[i] = (float) (sum[i] / weights);
        }
        return mean;
    }

    /** (3, 4) has norm 5, so with norm 1 it is (0.6, 0.8). */
    @Test
    void aDifferenceIsClippedBeforeItIsCoded() {
        SumCoding coding = new SumCoding(new Privacy(1, 0, 1e-5), 64, 2, 2);
        assertThat(mean(coding.encode(new float[] {3, 4}, 1, RANDOM)))
                .containsExactly(new float[] {0.6f, 0.8f}, within(1e-6f));
    }

    /** All that are asked send the largest value there is, and the sum does not wrap. */
    @Test
    void theSumNeverWraps() {
        for (int asked : new int[] {3, 1000, 100_000}) {
            SumCoding coding = new SumCoding(Privacy.NONE, 8, asked, 3);
            int[] largest = coding.encode(new float[] {1e9f, -1e9f, Float.NaN}, 1, RANDOM);
            int[] sum = new int[4];
            for (int i = 0; i < 4; i++) {
                assertThat(Math.abs((long) largest[i]) * asked)
                        .isLessThanOrEqualTo(Integer.MAX_VALUE);
                sum[i] = largest[i] * asked;
            }
            // The weight of one device is rounded to its units, of which it has thousands.
            assertThat(mean(sum)).usingComparatorWithPrecision(0.01f).containsExactly(8, -8, 0);
        }
    }

    /** Ten of twelve stay: noise of twelve tenths of the variance that was asked for. */
    @Test
    void theNoiseOfThoseThatStayIsAtLeastWhatWasAskedFor() {
        Privacy privacy = new Privacy(0.5, 1.2, 1e-5);
        SumCoding coding = new SumCoding(privacy, 64, 12, 10);
        int length = 20_000;
        int[] sum = new int[length + 1];
        for (int device = 0; device < 10; device++) {
            sum = add(sum, coding.encode(new float[length], 1, new SplittableRandom(device)));
        }
        double squares = 0;
        for (float value : mean(sum)) {
            squares += (double) value * value;
        }
        double asked = 1.2 * 0.5 / 10;
        assertThat(squares / length / (asked * asked)).isCloseTo(1, within(0.05));
    }

    /**
     * What the mechanism takes for at most S must not exceed it. At the last but one length, each
     * of these values would be just above half a unit if they were clipped to S, and all would
     * round up, to a norm of nearly 2S.
     */
    @Test
    void roundingLeavesTheNormThatNoiseIsFor() {
        Privacy privacy = new Privacy(1e-6, 1, 1e-5);
        SumCoding coding = new SumCoding(privacy, 64, 20, 20);
        double norm = 1e-6 / coding.unit();
        int worst = (int) (4 * norm * norm);
        for (int length : new int[] {1, 100, worst, 3 * worst}) {
            float[] equal = new float[length];
            Arrays.fill(equal, 1);
            int[] noisy = coding.encode(equal, 1, new SplittableRandom(length));
            int[] noise = coding.encode(new float[length], 1, new SplittableRandom(length));
            double squares = 0;
            for (int i = 0; i < length; i++) {
                squares += Math.pow(noisy[i] - noise[i], 2);
            }
            assertThat(Math.sqrt(squares)).as("%s values", length).isLessThanOrEqualTo(norm);
            assertThat(length > 100 || squares > norm * norm / 2).isTrue();
        }
    }

    /** From differences to a model's step: two of six leave, and the mean is that of the others. */
    @Test
    void aMeanOfThoseThatStayed() {
        SumCoding coding = new SumCoding(Privacy.NONE, 1, 6, 4);
        TreeMap<Integer, int[]> values = new TreeMap<>();
        double[] expected = new double[2];
        double weights = 0;
        for (int device = 0; device < 6; device++) {
            float[] difference = {device / 10f, -device / 20f};
            double weight = (device + 1) / 6.0;
            values.put(device, coding.encode(difference, weight, RANDOM));
            if (device != 2 && device != 5) {
                weights += weight;
                expected[0] += weight * difference[0];
                expected[1] += weight * difference[1];
            }
        }
        SumRun.Result result =
                new SumRun(
                                new SumTask(1, 1, 6, SumRates.parse("dropout=0.34")),
                                values,
                                Map.of(
                                        2,
                                        DeviceBehavior.leavingAfter(1),
                                        5,
                                        DeviceBehavior.leavingAfter(2)),
                                1000,
                                1)
                        .run();
        assertThat(result.outcome()).isInstanceOf(SumOutcome.Unmasked.class);
        float[] mean = mean(result.sum());
        assertThat(mean[0]).isCloseTo((float) (expected[0] / weights), within(1e-6f));
        assertThat(mean[1]).isCloseTo((float) (expected[1] / weights), within(1e-6f));
    }

    @Test
    void numbersThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> new SumCoding(Privacy.NONE, 0, 4, 3))
                .hasMessage("a sum of 3 to 4 devices with values of at most 0.0");
        assertThatThrownBy(() -> new SumCoding(new Privacy(0.5, 1e-9, 1e-5), 64, 1000, 800))
                .hasMessageContaining("is too little for 1000 devices");
        SumCoding noisy = new SumCoding(new Privacy(0.5, 1, 1e-5), 64, 10, 8);
        assertThatThrownBy(() -> noisy.encode(new float[1], 0.5, RANDOM))
                .hasMessage("a weight must be above 0 and at most 1, and 1 with noise, got 0.5");
    }
}
