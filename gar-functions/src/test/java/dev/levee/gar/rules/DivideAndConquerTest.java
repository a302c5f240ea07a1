package dev.levee.gar.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Draws;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.gar.Samples;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.Random;

class DivideAndConquerTest {
    /**
     * Of (0, 0), (2, 0), (4, 1), (4, −1), (10, 0) the mean is (4, 0); Σ x² = 16 + 4 + 36 = 56 and Σ
     * y² = 2, so the leading direction is x: projections 16, 4, 0, 0, 36. Without the last: (2.5,
     * 0).
     */
    @Test
    void dropsTheFarthestAlongTheLeadingDirection() {
        float[][] rows = {{0, 0}, {2, 0}, {4, 1}, {4, -1}, {10, 0}};
        Aggregator aggregator = new Aggregator(Rules.parse("dnc"), 1, 1);
        assertThat(aggregator.aggregate(rows)).containsExactly(2.5f, 0);
        assertThat(aggregator.last().scores())
                .usingComparatorWithPrecision(1e-9)
                .containsExactly(16, 4, 0, 0, 36);
        assertThat(Rules.aggregate(Rules.parse("dnc(c=2)"), rows, 1, 1))
                .containsExactly((float) (10 / 3.0), 0);
    }

    /** c·f does not fit into a long. */
    @Test
    void aHugeFactorNeedsMoreRowsThanThereAre() {
        float[][] rows = {{0, 0}, {2, 0}, {4, 1}, {4, -1}, {10, 0}};
        assertThatThrownBy(() -> Rules.aggregate(Rules.parse("dnc(c=1e19)"), rows, 1, 1))
                .hasMessage(
                        "dnc(c=1.0E19) needs n ≥ 1.0E19f + 1: with f = 1 that is 2147483647 rows or"
                                + " more, got 5");
    }

    /** Both ends of −1, 0, 1 are as far: the lower row is kept. */
    @Test
    void ofEqualProjectionsTheLowerRowIsKept() {
        float[][] rows = {{-1}, {0}, {1}};
        assertThat(Rules.aggregate(Rules.parse("dnc"), rows, 1, 1)).containsExactly(-0.5f);
        assertThat(Rules.aggregate(Rules.parse("dnc"), new float[][] {{3}, {3}, {3}}, 1, 1))
                .containsExactly(3);
    }

    /** The projections are those of the rows themselves, found by iterating on the vectors. */
    @Test
    void projectionsAreThoseOfTheLeadingSingularVector() {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            float[][] rows = Samples.normal(random, 4 + random.nextInt(6), 5);
            for (float[] row : rows) {
                row[0] *= 5;
            }
            Aggregator aggregator = new Aggregator(Rules.parse("dnc"), 1, 1);
            aggregator.aggregate(rows);
            double[] expected = projections(rows);
            for (int i = 0; i < rows.length; i++) {
                assertThat(aggregator.last().scores()[i])
                        .as("seed %d, row %d", seed, i)
                        .isCloseTo(expected[i], within(1e-5 * (1 + expected[i])));
            }
        }
    }

    /** Rows far away on one coordinate only are seen by the iterations that sample it. */
    @Test
    void eachIterationDrawsItsOwnSample() {
        int d = 400;
        float[][] rows = new float[9][d];
        for (int r = 0; r < 9; r++) {
            for (int i = 0; i < d; i++) {
                rows[r][i] = (float) Draws.normal(r, i);
            }
        }
        rows[4][123] = 1e6f;
        int caught = 0;
        int all = 0;
        for (int seed = 0; seed < 40; seed++) {
            for (int iterations : new int[] {1, 12}) {
                Rule rule = new DivideAndConquer(iterations, 100, 1);
                float at = Rules.aggregate(rule, rows, 1, seed)[123];
                caught += iterations == 1 && at < 10 ? 1 : 0;
                all += iterations == 12 && at < 10 ? 1 : 0;
            }
        }
        assertThat(caught).isBetween(4, 20);
        assertThat(all).isGreaterThan(33);
    }

    /** A tenth of the vector by default, so that five iterations are not one. */
    @Test
    void iterationsOfTheDefaultSeeDifferentCoordinates() {
        float[][] rows = Samples.normal(new Random(3), 15, 2000);
        for (int seed = 0; seed < 20; seed++) {
            Aggregator one = new Aggregator(Rules.parse("dnc(iterations=1)"), 5, seed);
            Aggregator five = new Aggregator(Rules.parse("dnc"), 5, seed);
            one.aggregate(rows);
            five.aggregate(rows);
            assertThat(one.last().map().outputs()).isEqualTo(10);
            assertThat(five.last().map().outputs()).as("seed %d", seed).isLessThan(10);
        }
    }

    /**
     * Beside a row 1e8 away, another that differs by 1 in the same direction: float distances to
     * the far one are off by 6e8 of 1e16, which is more than the 2e8 that it makes.
     */
    @Test
    void aRowFarAwayDoesNotCostTheOthersTheirDigits() {
        float[][] rows = Samples.normal(new Random(2), 9, 200);
        for (float[] row : rows) {
            row[0] = 0;
        }
        rows[3][0] = 1e8f;
        rows[5][0] = -1;
        Aggregator aggregator = new Aggregator(Rules.parse("dnc(dimensions=200)"), 2, 1);
        aggregator.aggregate(rows);
        assertThat(aggregator.last().map().uses(3)).isFalse();
        assertThat(aggregator.last().map().uses(5)).isFalse();
        assertThat(aggregator.last().map().outputs()).isEqualTo(7);
    }

    /** With ten iterations that drop three of seven rows each, none need be kept in all of them. */
    @Test
    void ifNoRowIsAlwaysKeptThoseDroppedLeastAreAveraged() {
        Rule rule = new DivideAndConquer(30, 5, 1);
        for (int seed = 0; seed < 20; seed++) {
            float[][] rows = Samples.normal(new Random(seed), 7, 300);
            for (float x : Rules.aggregate(rule, rows, 3, seed)) {
                assertThat(x).as("seed %d", seed).isFinite();
            }
        }
    }

    /** What is not finite counts as a fault and is out of the sample's reach. */
    @Test
    void rowsThatAreNotFiniteAreTakenOut() {
        float[][] rows = new float[7][5000];
        for (float[] row : rows) {
            Arrays.fill(row, 2);
        }
        rows[1][4999] = Float.NaN;
        rows[6][17] = Float.POSITIVE_INFINITY;
        assertThat(Rules.aggregate(Rules.parse("dnc(1, 10)"), rows, 3, 1)).containsOnly(2);
        assertThat(Rules.aggregate(Rules.parse("dnc(1, 10)"), rows, 2, 1)).containsOnly(2);
    }

    /**
     * The weakness: next to 1e20 all others project alike, so 1000 is kept as the lowest of them.
     */
    @Test
    void rowsFarAwayHideOthers() {
        float[][] rows = {{1000}, {0}, {0}, {0}, {0}, {0}, {1e20f}};
        assertThat(Rules.aggregate(Rules.parse("dnc"), rows, 2, 1)).containsExactly(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"dnc", "dnc(iterations=1)", "dnc(iterations=2,dimensions=9,c=1.5)"})
    void namesReadBack(String name) {
        assertThat(Rules.parse(name).name()).isEqualTo(name);
    }

    @Test
    void limits() {
        assertThat(Rules.parse("dnc").minimumRows(3)).isEqualTo(7);
        assertThat(Rules.parse("dnc(c=2.5)").minimumRows(3)).isEqualTo(8);
        assertThatThrownBy(() -> Rules.parse("dnc(c=0)"))
                .hasMessage("dnc: c must be a number above 0, got 0");
        assertThatThrownBy(() -> Rules.parse("dnc(iterations=0)"))
                .hasMessage("dnc: iterations must be a whole number above 0, got 0");
    }

    private static double[] projections(float[][] rows) {
        int n = rows.length;
        int d = rows[0].length;
        double[][] x = new double[n][d];
        for (int i = 0; i < d; i++) {
            double mean = 0;
            for (float[] row : rows) {
                mean += row[i] / (double) n;
            }
            for (int r = 0; r < n; r++) {
                x[r][i] = rows[r][i] - mean;
            }
        }
        double[] v = new double[d];
        Arrays.fill(v, 1);
        for (int iteration = 0; iteration < 3000; iteration++) {
            double[] next = new double[d];
            for (double[] row : x) {
                double p = dot(row, v);
                for (int i = 0; i < d; i++) {
                    next[i] += p * row[i];
                }
            }
            double norm = Math.sqrt(dot(next, next));
            Arrays.setAll(v, i -> next[i] / norm);
        }
        return Arrays.stream(x).mapToDouble(row -> dot(row, v) * dot(row, v)).toArray();
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
