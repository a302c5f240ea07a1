package dev.levee.gar.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Round;
import dev.levee.gar.Rules;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.SplittableRandom;

class CapWeightsTest {
    private static final double[] CLAIMED = {10, 10, 10, 1000};
    private static final float[][] ROWS = {{0}, {0}, {0}, {4}};

    private static float aggregate(String rule, double[] weights) {
        return new Aggregator(Rules.parse(rule), 1, 5)
                .aggregate(ROWS, round -> round.withWeights(weights))[0];
    }

    /** 10 of 40 instead of 1000 of 1030; with factor 3, 30 of 60. */
    @Test
    void aClaimedCountIsBoundedByTheMedian() {
        assertThat(aggregate("average", CLAIMED)).isEqualTo((float) (4 * 1000 / 1030.0));
        assertThat(aggregate("cap-weights | average", CLAIMED)).isEqualTo(1);
        assertThat(aggregate("cap-weights(3) | average", CLAIMED)).isEqualTo(2);
    }

    @Test
    void rowsWithoutWeightsCountAlike() {
        assertThat(aggregate("cap-weights | average", new double[0])).isEqualTo(1);
    }

    /** Of two, the lower: otherwise a claim of 1000 would raise the bound to 505. */
    @Test
    void theMedianOfAnEvenNumberIsTheLower() {
        Round capped =
                new CapWeights(1).after(new Round(2, 0, 0, 0).withWeights(new double[] {10, 1000}));
        assertThat(capped.weights()).containsExactly(10, 10);
    }

    /** f rows have at most f/⌈(n + 1)/2⌉ of the weight, whatever they and the others claim. */
    @Test
    void fewSendersHaveABoundedShare() {
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int f = 1 + random.nextInt(4);
            int n = 2 * f + 1 + random.nextInt(6);
            double[] weights = new double[n];
            Arrays.setAll(
                    weights, i -> i < f ? 1e6 * random.nextDouble() + 1 : 1 + random.nextInt(50));
            double[] capped =
                    new CapWeights(1)
                            .after(new Round(n, f, 0, seed).withWeights(weights))
                            .weights();
            double liars = Arrays.stream(capped, 0, f).sum() / Arrays.stream(capped).sum();
            assertThat(liars)
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(f / Math.ceil((n + 1) / 2.0) + 1e-12);
            double honest = Arrays.stream(weights, f, n).max().orElseThrow();
            assertThat(Arrays.stream(capped).max().orElseThrow()).isLessThanOrEqualTo(honest);
        }
    }

    @Test
    void aFactorBelowOneIsRefused() {
        assertThatThrownBy(() -> Rules.parse("cap-weights(0.5) | average"))
                .hasMessage("cap-weights: the factor must be at least 1, got 0.5");
    }
}
