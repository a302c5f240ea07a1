package dev.levee.gar.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.gar.Aggregator;
import dev.levee.gar.GradientScored;
import dev.levee.gar.LookResult;
import dev.levee.gar.Round;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.gar.Samples;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;

/** Rules decided from norms, distances or ranks, on rows small enough to work out by hand. */
class SimpleRulesTest {
    private static float[] aggregate(String rule, int f, float... values) {
        return Rules.aggregate(Rules.parse(rule), column(values), f, 1);
    }

    private static float[][] column(float... values) {
        float[][] rows = new float[values.length][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new float[] {values[i]};
        }
        return rows;
    }

    /** Median 4: of 0 3 4 5 90 the nearest three are 3 4 5; a tie drops the larger. */
    @Test
    void meamed() {
        assertThat(aggregate("meamed", 2, 5, 90, 0, 4, 3)).containsExactly(4);
        assertThat(aggregate("meamed", 1, 1, 2, 3)).containsExactly(1.5f);
    }

    /** Trimmed mean of 0 1 2 6 90 is 3: the four nearest are 0 1 2 6; the median's would be too. */
    @Test
    void phocas() {
        assertThat(aggregate("phocas", 1, 0, 90, 6, 2, 1)).containsExactly(2.25f);
        // Trimmed mean of 0 0 8 is 0 with f = 1, but of 0 1 8 8 it is 4.5: 1 8 8 are nearest.
        assertThat(aggregate("phocas", 1, 0, 1, 8, 8)[0]).isCloseTo(17 / 3f, within(1e-6f));
    }

    @Test
    void cge() {
        assertThat(aggregate("cge", 1, -3, 1, 2)).containsExactly(1.5f);
        // Of −2 and 2, equally long, the lower row is kept.
        assertThat(aggregate("cge", 1, -2, 1, 2)).containsExactly(-0.5f);
    }

    /** Norms 1 2 9: all above 2 become 2; with twice the median 4; with a bound of 1.5. */
    @Test
    void normThreshold() {
        assertThat(aggregate("norm-threshold", 1, 1, 2, -9)[0]).isCloseTo(1 / 3f, within(1e-7f));
        assertThat(aggregate("norm-threshold(multiple=2)", 1, 1, 2, -9)[0])
                .isCloseTo(-1 / 3f, within(1e-7f));
        assertThat(aggregate("norm-threshold(bound=1.5)", 1, 1, 2, -9)[0])
                .isCloseTo(1 / 3f, within(1e-7f));
        assertThat(aggregate("norm-threshold", 1, 3, Float.NaN, 3)).containsExactly(2);
    }

    /** 20 and 40 count, and the third row is zero or does not pull: 60/3, whatever the bound is. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "norm-threshold(bound=Infinity)",
                "norm-threshold(multiple=1e308)",
                "clip(Infinity) | average",
                "centered-clipping(tau=Infinity)",
                "clipped-gossip(tau=Infinity)"
            })
    void aBoundWithoutLimitStillExcludesRowsThatAreNotFinite(String rule) {
        assertThat(aggregate(rule, 1, 20, 40, Float.NaN)).containsExactly(20);
        assertThat(aggregate(rule, 1, Float.NEGATIVE_INFINITY, 20, 40)).containsExactly(20);
    }

    /** Without a bound on Byzantine rows, too, and whichever row comes first. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "geometric-median",
                "geometric-median(nu=0.1,iterations=3)",
                "caf",
                "flag(rows=raw)"
            })
    void aRowThatIsNotFiniteIsNoAnchor(String rule) {
        float[] last = aggregate(rule, 0, 1, 2, 4, Float.NaN);
        assertThat(last[0]).isBetween(1f, 4f);
        assertThat(aggregate(rule, 0, Float.NaN, 1, 2, 4)).containsExactly(last);
    }

    @Test
    void normThresholdTakesOneBound() {
        assertThatThrownBy(() -> Rules.parse("norm-threshold(multiple=2,bound=3)"))
                .hasMessage("norm-threshold takes multiple or bound, not both");
        assertThatThrownBy(() -> Rules.parse("norm-threshold(bound=0)"))
                .hasMessage("norm-threshold: bound must be above 0, got 0");
    }

    @Test
    void monna() {
        assertThat(aggregate("monna", 1, 1, 2, 9)).containsExactly(1.5f);
        assertThat(aggregate("monna(trusted=w2)", 1, 1, 2, 9)).containsExactly(5.5f);
    }

    /** Median 3 of 0 2 3 4 50: squared distances 9 1 0 1 47²; their median is 1. */
    @Test
    void aksel() {
        assertThat(aggregate("aksel", 1, 0, 2, 3, 4, 50)).containsExactly(3);
        assertThat(aggregate("aksel(nearest)", 1, 0, 2, 3, 4, 50)).containsExactly(2.25f);
    }

    /** Squared norms 2 and 8; with ρ = 1 the scores are 3 − 2, 6 − 8 and with mean squares 2, 2. */
    @Test
    void zeno() {
        float[][] rows = {{1, 1}, {2, 2}, {0, 0}};
        double[] scores = {3, 6, -1};
        Aggregator norms = new Aggregator(Rules.parse("zeno(rho=1,b=2)"), 1, 1);
        assertThat(norms.aggregate(rows, scores)).containsExactly(1, 1);
        assertThat(norms.last().scores()).containsExactly(1, -2, -1);
        Aggregator means = new Aggregator(Rules.parse("zeno(rho=1,b=1,mean-square)"), 1, 1);
        assertThat(means.aggregate(rows, scores)).containsExactly(1.5f, 1.5f);
        assertThat(means.last().scores()).containsExactly(2, 2, -1);
    }

    /**
     * v = (3, 4), so ‖v‖² = 25; γ = 0.5. Of g = (6, 8) with ‖g‖² = 100 and ⟨v, g⟩ = 50: g̃ = ½g,
     * and 0.5·25 − ρ·25 is at least −0.5ε up to ρ = 0.5 with ε = 0, and up to ρ = 0.7 with ε = 10.
     * Of (−3, −4): g̃ = g, and 0.5·(−25) − 0 ≥ −0.5ε from ε = 25 on.
     */
    @Test
    void zenoPlusPlusScores() {
        assertThat(judge("zeno++(rho=0.5)").score(50, 25, 100, 0.5)).isEqualTo(0.5);
        assertThat(judge("zeno++(rho=0.51)").score(50, 25, 100, 0.5)).isZero();
        assertThat(judge("zeno++(rho=0.7,epsilon=10)").score(50, 25, 100, 0.5)).isEqualTo(0.5);
        assertThat(judge("zeno++(rho=0.71,epsilon=10)").score(50, 25, 100, 0.5)).isZero();
        assertThat(judge("zeno++(rho=0,epsilon=25)").score(-25, 25, 25, 0.5)).isEqualTo(1);
        assertThat(judge("zeno++(rho=0,epsilon=24)").score(-25, 25, 25, 0.5)).isZero();
        // c = 2: g̃ = g, and 0.5·50 − ρ·100 ≥ 0 up to ρ = 0.25.
        assertThat(judge("zeno++(rho=0.25,c=2)").score(50, 25, 100, 0.5)).isEqualTo(1);
        assertThat(judge("zeno++(rho=0.26,c=2)").score(50, 25, 100, 0.5)).isZero();
        assertThat(judge("zeno++").score(0, 25, 0, 0.5)).isZero();
        assertThat(judge("zeno++").score(Double.NaN, 25, Double.NaN, 0.5)).isZero();
        assertThat(judge("zeno++").score(1e30, 25, Double.POSITIVE_INFINITY, 0.5)).isZero();
    }

    private static GradientScored judge(String rule) {
        return (GradientScored) Rules.parse(rule);
    }

    /** What is refused is not read; of those taken the mean, and zero if there is none. */
    @Test
    void zenoPlusPlus() {
        float[][] rows = {{6, 8}, {Float.NaN, 1}, {1, 0}};
        Aggregator aggregator = new Aggregator(Rules.parse("zeno++"), 2, 1);
        assertThat(aggregator.aggregate(rows, new double[] {0.5, 0, 5})).containsExactly(4, 2);
        assertThat(aggregator.aggregate(rows, new double[3])).containsExactly(0, 0);
        assertThat(aggregator.last().map().uses(0)).isFalse();
        // Of weights 3 and 1: (3·(3, 4) + (5, 0)) / 4.
        assertThat(
                        aggregator.aggregate(
                                rows,
                                round ->
                                        round.withScores(new double[] {0.5, 0, 5})
                                                .withWeights(new double[] {3, 9, 1})))
                .containsExactly(3.5f, 3);
        assertThatThrownBy(() -> Rules.parse("zeno++(c=0)"))
                .hasMessage("zeno++: rho and epsilon must not be negative, and c must be above 0");
    }

    /** f = 1 of n = 4: k = ⌊2·¼·3⌋ = 1, so 9 becomes 4; of n = 3, k = 1 as well. */
    @Test
    void arc() {
        assertThat(aggregate("arc | average", 1, 1, -9, 4, 2)).containsExactly(0.75f);
        assertThat(aggregate("arc | average", 0, 1, -9, 4, 2)).containsExactly(-0.5f);
        assertThat(aggregate("arc | average", 1, 3, Float.NaN, 3)).containsExactly(2);
    }

    /** Five rows of powers of two in buckets of two: each is in exactly one bucket. */
    /** Whatever the order is, a bucket has two of the large weights, whose sum overflows. */
    @Test
    void bucketsOfTheLargestWeightsHaveWeights() {
        Round round = new Round(4, 0, 0, 1).withWeights(new double[] {1e308, 1e308, 1e308, 1e-20});
        double[] weights = new Bucketing(2).after(round).weights();
        // One bucket has two large weights, the other one; 1e-20 does not count beside it.
        assertThat(weights).containsExactlyInAnyOrder(2, 1);
        Round small = new Round(2, 0, 0, 1).withWeights(new double[] {3, 4});
        assertThat(new Bucketing(2).after(small).weights()).containsExactly(7);
    }

    @Test
    void bucketing() {
        float[] buckets = new float[3];
        for (int seed = 0; seed < 20; seed++) {
            double[][] weights =
                    new Bucketing(2).map(LookResult.nothing(5), new Round(5, 1, 3, seed)).weights();
            assertThat(weights).hasNumberOfRows(buckets.length);
            for (int i = 0; i < 5; i++) {
                double sum = weights[0][i] / 0.5 + weights[1][i] / 0.5 + weights[2][i];
                assertThat(sum).as("row %d, seed %d", i, seed).isEqualTo(1);
            }
        }
    }

    /** From 0 with τ = 2: (2 + 1 − 2)/3; then from there. Twice at once gives the same. */
    @Test
    void centeredClipping() {
        float[][] rows = column(8, 1, -90);
        Aggregator once = new Aggregator(Rules.parse("centered-clipping(tau=2)"), 1, 1);
        assertThat(once.aggregate(rows)[0]).isCloseTo(1 / 3f, within(1e-7f));
        // 1/3 + (2 + 2/3 − 2)/3 = 5/9
        assertThat(once.aggregate(rows)[0]).isCloseTo(5 / 9f, within(1e-7f));
        float[] twice = aggregate("centered-clipping(tau=2,iterations=2)", 1, 8, 1, -90);
        assertThat(twice[0]).isCloseTo(5 / 9f, within(1e-7f));
    }

    /**
     * From 0 with f = 1 and τ = 8, the second largest distance: (8 + 1 − 8)/3. By weights of 2, 1
     * and 1, (16 + 1 − 8)/4. Without anybody to be expected to lie, the mean.
     */
    @Test
    void clippedGossip() {
        float[][] rows = column(8, 1, -90);
        Rule rule = Rules.parse("clipped-gossip");
        assertThat(new Aggregator(rule, 1, 1).aggregate(rows)[0]).isCloseTo(1 / 3f, within(1e-7f));
        double[] weights = {2, 1, 1};
        float[] weighed =
                new Aggregator(rule, 1, 1).aggregate(rows, round -> round.withWeights(weights));
        assertThat(weighed[0]).isCloseTo(9 / 4f, within(1e-6f));
        assertThat(new Aggregator(rule, 0, 1).aggregate(rows)[0]).isCloseTo(-27, within(1e-5f));
    }

    /** Several steps from products of differences against as many rounds of one step. */
    @Test
    void stepsOfCenteredClippingAreRounds() {
        for (int seed = 0; seed < 30; seed++) {
            Random random = new Random(seed);
            float[][] rows = Samples.normal(random, 7, 20);
            rows[0][0] = 1e15f;
            rows[1][3] = random.nextBoolean() ? Float.NaN : -3e38f;
            float[] previous = Samples.normal(random, 1, 20)[0];
            Aggregator one = new Aggregator(Rules.parse("centered-clipping(tau=1)"), 2, 1);
            one.from(previous).aggregate(rows);
            one.aggregate(rows);
            float[] expected = one.aggregate(rows);
            String three = "centered-clipping(tau=1,iterations=3)";
            float[] found = new Aggregator(Rules.parse(three), 2, 1).from(previous).aggregate(rows);
            for (int i = 0; i < 20; i++) {
                assertThat(found[i]).as("seed %d", seed).isCloseTo(expected[i], within(2e-6f));
            }
        }
    }

    /**
     * n = 5, f = 1 of 0 1 3 4 20: with three neighbours squared 26 14 14 26 …, so rows 1 and 2 tie;
     * plain over two neighbours: 1 + 3, 1 + 2, 1 + 2, 1 + 3.
     */
    @Test
    void krumVariants() {
        assertThat(aggregate("krum(neighbours=n-f-1)", 1, 0, 1, 3, 4, 20)).containsExactly(1);
        Aggregator plain = new Aggregator(Rules.parse("krum(plain)"), 1, 1);
        assertThat(plain.aggregate(column(0, 1, 3, 4, 20))).containsExactly(1);
        assertThat(plain.last().scores()).containsExactly(4, 3, 3, 4, 33);
        assertThat(aggregate("multi-krum(m=n-f)", 1, 0, 1, 3, 4, 20)).containsExactly(2);
        assertThat(aggregate("multi-krum", 1, 0, 1, 3, 4, 20)).containsExactly(2);
    }

    /** q = 11, f = 3: 2·(8 + (3·6 + 9·7)/3) = 70. Of another score nothing is published. */
    @Test
    void varianceFactors() {
        assertThat(new Krum().varianceFactor(11, 3).getAsDouble())
                .isCloseTo(Math.sqrt(70), within(1e-14));
        assertThat(Rules.parse("krum(plain)").varianceFactor(11, 3)).isEmpty();
        assertThat(new Krum().varianceFactor(8, 3)).isEmpty();
        assertThat(new Median(false).varianceFactor(12, 3)).hasValue(3);
        assertThat(Rules.parse("multi-krum").varianceFactor(11, 3)).isEmpty();
    }
}
