package dev.levee.federated.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

class DiscreteGaussianTest {
    private static final int DRAWS = 200_000;

    /** With σ = 1, exp(−x²/2) sums up to 2.5066288: 0.39894, 0.24197, 0.05399, 0.00443, … */
    @Test
    void integersHaveTheirProbabilities() {
        DiscreteGaussian gaussian = new DiscreteGaussian(1);
        SplittableRandom random = new SplittableRandom(1);
        Map<Long, Integer> counts = new TreeMap<>();
        for (int i = 0; i < DRAWS; i++) {
            counts.merge(gaussian.next(random), 1, Integer::sum);
        }
        double[] expected = {0.398942, 0.241971, 0.053991, 0.004432};
        for (long x = -3; x <= 3; x++) {
            double probability = expected[(int) Math.abs(x)];
            double error = Math.sqrt(probability * (1 - probability) / DRAWS);
            assertThat(counts.get(x) / (double) DRAWS)
                    .as("%d", x)
                    .isCloseTo(probability, within(4 * error));
        }
    }

    @Test
    void theVarianceIsThatOfTheGaussian() {
        for (double deviation : new double[] {0.7, 3.3, 1e5}) {
            DiscreteGaussian gaussian = new DiscreteGaussian(deviation);
            SplittableRandom random = new SplittableRandom(2);
            double sum = 0;
            double squares = 0;
            for (int i = 0; i < DRAWS; i++) {
                double x = gaussian.next(random);
                sum += x;
                squares += x * x;
            }
            assertThat(sum / DRAWS).isCloseTo(0, within(4 * deviation / Math.sqrt(DRAWS)));
            assertThat(squares / DRAWS / (deviation * deviation)).isCloseTo(1, within(0.015));
        }
    }

    @Test
    void aDeviationOfNothingIsRefused() {
        assertThatThrownBy(() -> new DiscreteGaussian(0))
                .hasMessage("the deviation of a discrete Gaussian must be above 0, got 0.0");
    }
}
