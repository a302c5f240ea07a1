package dev.levee.gar.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Rules;
import dev.levee.gar.Samples;
import dev.levee.gar.Step;
import dev.levee.gar.internal.Backend;
import dev.levee.gar.internal.CpuBackend;
import dev.levee.gar.internal.PlainKernels;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class GeometricMedianTest {
    private static final Rule RULE = Rules.parse("geometric-median");

    private static double cost(float[][] rows, double[] z) {
        double sum = 0;
        for (float[] row : rows) {
            double squared = 0;
            for (int i = 0; i < z.length; i++) {
                squared += (row[i] - z[i]) * (row[i] - z[i]);
            }
            sum += Math.sqrt(squared);
        }
        return sum;
    }

    /** The Fermat point of an equilateral triangle is its centre, that of a square its middle. */
    @Test
    void byHand() {
        float height = (float) Math.sqrt(0.75);
        float[] point = Rules.aggregate(RULE, new float[][] {{0, 0}, {1, 0}, {0.5f, height}}, 1, 1);
        assertThat(point[0]).isCloseTo(0.5f, within(1e-6f));
        assertThat(point[1]).isCloseTo(height / 3, within(1e-6f));
        float[] middle =
                Rules.aggregate(RULE, new float[][] {{0, 0}, {2, 0}, {2, 2}, {0, 2}}, 1, 1);
        assertThat(middle[0]).isCloseTo(1, within(1e-6f));
        assertThat(middle[1]).isCloseTo(1, within(1e-6f));
    }

    /** In an obtuse triangle (above 120°) the corner is the solution, and comes back untouched. */
    @Test
    void aRowThatIsTheSolutionComesBackUntouched() {
        float[][] rows = {{-1, 0.1f}, {0.1f, 0.3f}, {1, 0.1f}};
        assertThat(Rules.aggregate(RULE, rows, 1, 1)).containsExactly(0.1f, 0.3f);
        float[][] line = {{1}, {7}, {2}, {3}, {100}};
        assertThat(Rules.aggregate(RULE, line, 2, 1)).containsExactly(3);
    }

    /** No point nearby costs less, although half of the rows but one may be far away. */
    @Test
    void noPointNearbyCostsLess() {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            int n = 5 + random.nextInt(6);
            int d = 1 + random.nextInt(5);
            float[][] rows = Samples.normal(random, n, d);
            if (seed % 2 == 0) {
                for (int far = 0; far < (n - 1) / 2; far++) {
                    rows[far][0] = (float) Math.pow(10, 3 + random.nextInt(3));
                }
            }
            float[] found = Rules.aggregate(RULE, rows, (n - 1) / 2, 1);
            double[] z = new double[d];
            for (int i = 0; i < d; i++) {
                z[i] = found[i];
            }
            double least = cost(rows, z);
            for (int k = 0; k < 200; k++) {
                double[] other = z.clone();
                double step = Math.pow(10, -random.nextInt(5));
                for (int i = 0; i < d; i++) {
                    other[i] += step * random.nextGaussian();
                }
                assertThat(cost(rows, other)).as("seed %d", seed).isGreaterThan(least * (1 - 1e-7));
            }
        }
    }

    /** Any point between two rows is a solution; which one must not depend on rounding. */
    @Test
    void twoRowsGiveTheirMean() {
        for (int seed = 0; seed < 200; seed++) {
            float[][] rows = Samples.normal(new Random(seed), 2, 3);
            float[] found = Rules.aggregate(RULE, rows, 0, 1);
            for (int i = 0; i < 3; i++) {
                assertThat(found[i])
                        .as("seed %d", seed)
                        .isCloseTo((rows[0][i] + rows[1][i]) / 2, within(1e-6f));
            }
        }
    }

    /**
     * The mean of all is the first row, where Weiszfeld's step divides by nothing; the solution is
     * among the ten rows around (−1, 0).
     */
    @Test
    void startingOnARowThatIsNotTheSolutionGoesOn() {
        float[][] rows = new float[12][];
        rows[0] = new float[] {0, 0};
        rows[1] = new float[] {10, 0};
        for (int k = 1; k <= 5; k++) {
            rows[2 * k] = new float[] {-1, 0.3f * k};
            rows[2 * k + 1] = new float[] {-1, -0.3f * k};
        }
        double best = Double.POSITIVE_INFINITY;
        double at = 0;
        for (int k = 0; k <= 100_000; k++) {
            double cost = cost(rows, new double[] {-k * 1e-5, 0});
            if (cost < best) {
                best = cost;
                at = -k * 1e-5;
            }
        }
        for (int f : new int[] {0, 1, 5}) {
            float[] found = Rules.aggregate(RULE, rows, f, 1);
            assertThat((double) found[0]).isCloseTo(at, within(2e-5));
            assertThat((double) found[1]).isCloseTo(0, within(1e-6));
        }
    }

    /** A row 10¹⁵ away does not cost the others their digits, and a NaN none at all. */
    @Test
    void farRowsDoNotBlurTheRest() {
        float[][] rows = {{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1e15f, 1}, {-1e15f, 1}, {Float.NaN, 0}};
        float[] found = Rules.aggregate(RULE, rows, 3, 1);
        assertThat(found[0]).isCloseTo(1, within(1e-6f));
        assertThat(found[1]).isCloseTo(1, within(1e-6f));
    }

    /**
     * A corner of just 120° is the solution by a hair, or is not: plain steps toward it would be
     * shorter and shorter. The outer rows hold each other in balance.
     */
    @Test
    void rowsThatAreCraftedToTakeForeverEnd() {
        for (int pairs = 0; pairs < 40; pairs++) {
            float[][] rows = new float[3 + 2 * pairs][];
            rows[0] = new float[] {0, 0};
            rows[1] = new float[] {1, 0};
            rows[2] = new float[] {-0.5f, (float) Math.sqrt(0.75)};
            for (int k = 0; k < pairs; k++) {
                float x = (float) Math.cos(k);
                float y = (float) Math.sin(k);
                rows[3 + 2 * k] = new float[] {x, y};
                rows[4 + 2 * k] = new float[] {-x, -y};
            }
            float[] found = Rules.aggregate(RULE, rows, 1, 1);
            assertThat((double) found[0]).as("%d pairs", pairs).isCloseTo(0, within(1e-3));
            assertThat((double) found[1]).as("%d pairs", pairs).isCloseTo(0, within(1e-3));
        }
    }

    /** The same shape from denormals to 10³⁷. */
    @Test
    void sizeDoesNotMatter() {
        for (float scale : new float[] {1e-40f, 1e-20f, 1, 1e20f, 1e37f}) {
            float[][] rows = {{0, 0}, {2 * scale, 0}, {2 * scale, 2 * scale}, {0, 2 * scale}};
            float[] found = Rules.aggregate(RULE, rows, 1, 1);
            assertThat(found[0] / scale).as("scale %s", scale).isCloseTo(1, within(1e-4f));
            assertThat(found[1] / scale).as("scale %s", scale).isCloseTo(1, within(1e-4f));
        }
    }

    /** RFA from zero on (3, 4) and (0, 1): weights 1/5 and 1; then again from their mean. */
    @Test
    void smoothedByHand() {
        float[][] rows = {{3, 4}, {0, 1}};
        Rule one = Rules.parse("geometric-median(nu=0.1,iterations=1,start=zero)");
        float[] first = Rules.aggregate(one, rows, 0, 1);
        assertThat(first[0]).isCloseTo(0.5f, within(1e-6f));
        assertThat(first[1]).isCloseTo(1.5f, within(1e-6f));
        // From (½, 3/2): distances √12.5 and √½, five to one, so the weights are 1/6 and 5/6.
        Rule two = Rules.parse("geometric-median(nu=0.1,iterations=2,start=zero)");
        assertThat(Rules.aggregate(two, rows, 0, 1)).containsExactly(0.5f, 1.5f);
    }

    /**
     * Of five rows on a line, only the middle one can be the solution, and its distances are known.
     * Of four, two can be. Rows so far apart that differences are infinite need the costly look as
     * well.
     */
    @Test
    void distancesAreLookedAtAgainOnlyIfSeveralRowsMayBeTheSolution() {
        assertThat(looks(new float[][] {{1}, {7}, {2}, {3}, {100}})).containsExactly(false);
        assertThat(looks(new float[][] {{1}, {2}, {3}, {4}})).containsExactly(true);
        assertThat(looks(new float[][] {{3e38f}, {-3e38f}, {0}, {1}, {2}})).containsExactly(true);
    }

    /** For each look after the first one, whether it asks for distances. */
    private static List<Boolean> looks(float[][] rows) {
        int n = rows.length;
        List<Boolean> looks = new ArrayList<>();
        Round round = new Round(n, 1, 0, 1);
        try (Backend.Work work = new CpuBackend(new PlainKernels()).on(rows, null)) {
            RowMap map = RowMap.identity(n, n);
            Look look = RULE.look();
            for (int phase = 0; ; phase++) {
                LookResult looked = work.look(look, map, round.span(0, rows[0].length));
                Step step = RULE.decide(phase, map, looked, round, RuleState.NONE);
                if (!(step instanceof Step.LookAgain again)) {
                    return looks;
                }
                map = again.map();
                look = again.look();
                looks.add(look.distances());
            }
        }
    }
}
