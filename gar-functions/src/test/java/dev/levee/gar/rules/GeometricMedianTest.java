package dev.levee.gar.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.gar.Samples;

import org.junit.jupiter.api.Test;

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
}
