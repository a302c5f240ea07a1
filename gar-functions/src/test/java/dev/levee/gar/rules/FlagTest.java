package dev.levee.gar.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.gar.Samples;
import dev.levee.gar.internal.eigen.SymmetricEigen;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

class FlagTest {
    /** The same iteration on the coordinates themselves. */
    private static double[] dense(float[][] raw, int m, double lambda) {
        double[][] rows = new double[raw.length][];
        Arrays.setAll(rows, i -> unit(wide(raw[i]), new double[raw[i].length]));
        return dense(rows, m, lambda);
    }

    private static double[] wide(float[] row) {
        double[] wide = new double[row.length];
        Arrays.setAll(wide, i -> row[i]);
        return wide;
    }

    private static double[] dense(double[][] rows, int m, double lambda) {
        int p = rows.length;
        int d = rows[0].length;
        List<double[]> columns = new ArrayList<>();
        List<Double> factors = new ArrayList<>();
        for (int i = 0; i < p; i++) {
            columns.add(unit(rows[i], new double[d]));
            factors.add(1.0);
            for (int j = i + 1; j < p; j++) {
                columns.add(unit(rows[i], rows[j]));
                factors.add(lambda / (p - 1));
            }
        }
        double[] weights = factors.stream().mapToDouble(Double::doubleValue).toArray();
        double[][] basis = null;
        double before = Double.POSITIVE_INFINITY;
        for (int t = 0; t < 500; t++) {
            double[][] sum = new double[d][d];
            for (int c = 0; c < weights.length; c++) {
                for (int i = 0; i < d; i++) {
                    for (int j = 0; j < d; j++) {
                        sum[i][j] += weights[c] * columns.get(c)[i] * columns.get(c)[j];
                    }
                }
            }
            SymmetricEigen eigen = SymmetricEigen.of(sum);
            basis = new double[m][];
            for (int k = 0; k < m; k++) {
                basis[k] = eigen.vector(k);
            }
            double objective = 0;
            for (int c = 0; c < weights.length; c++) {
                double lost = Math.max(0, 1 - FlagSubspace.share(basis, columns.get(c)));
                objective += factors.get(c) * Math.sqrt(lost);
                weights[c] = factors.get(c) / Math.sqrt(lost + 1e-10);
            }
            assertThat(objective).as("never rises").isLessThanOrEqualTo(before + 1e-4);
            if (!(objective < before * (1 - Flag.TOLERANCE))) {
                break;
            }
            before = objective;
        }
        double[] mean = new double[d];
        for (double[] row : rows) {
            for (int i = 0; i < d; i++) {
                mean[i] += row[i] / p;
            }
        }
        return FlagSubspace.project(basis, mean);
    }

    private static double[] unit(double[] a, double[] b) {
        double[] difference = new double[a.length];
        double squared = 0;
        for (int i = 0; i < a.length; i++) {
            difference[i] = a[i] - b[i];
            squared += difference[i] * difference[i];
        }
        for (int i = 0; i < a.length; i++) {
            difference[i] /= Math.sqrt(squared);
        }
        return difference;
    }

    /** Float products carry seven digits, of which the iteration keeps four. */
    @Test
    void agreesWithTheIterationOnTheCoordinates() {
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            int p = 5 + random.nextInt(4);
            int m = 2 + random.nextInt(2);
            float[][] rows = Samples.normal(random, p, 6);
            for (float[] row : rows) {
                row[0] += 3; // something in common
            }
            float[] unit = Rules.aggregate(Rules.parse("flag(m=" + m + ")"), rows, 1, 1);
            assertClose(unit, dense(rows, m, 1), 1e-3, seed);
            Rule raw = Rules.parse("flag(m=" + m + ",rows=raw)");
            double[][] wide = Arrays.stream(rows).map(FlagTest::wide).toArray(double[][]::new);
            assertClose(Rules.aggregate(raw, rows, 1, 1), dense(wide, m, 1), 1e-3, seed);
        }
    }

    /** Rows along the axes: the subspace of one dimension is the axis of three of the five. */
    @Test
    void byHand() {
        float[][] rows = {{2, 0}, {0, 1}, {2, 0}, {0, -1}, {2, 0}};
        float[] flag = Rules.aggregate(Rules.parse("flag(m=1,lambda=0)"), rows, 2, 1);
        assertThat(flag[0]).isCloseTo(3f / 5, within(1e-6f));
        assertThat(flag[1]).isCloseTo(0, within(1e-6f));
        Rule raw = Rules.parse("flag(m=1,lambda=0,rows=raw)");
        assertThat(Rules.aggregate(raw, rows, 2, 1)[0]).isCloseTo(6f / 5, within(1e-6f));
    }

    /** One row a million times as long as the others does not turn the mean, unless asked to. */
    @Test
    void aLongRowCountsLikeAnyOther() {
        float[][] rows = Samples.normal(new Random(5), 9, 40);
        for (float[] row : rows) {
            row[0] += 20;
        }
        rows[3] = new float[40];
        rows[3][0] = -1e6f;
        assertThat(Rules.aggregate(Rules.parse("flag"), rows, 2, 1)[0]).isGreaterThan(0.5f);
        assertThat(Rules.aggregate(Rules.parse("flag(rows=raw)"), rows, 2, 1)[0]).isLessThan(-1e4f);
    }

    /** With as many dimensions as rows, the subspace would hold all of them. */
    @Test
    void moreDimensionsThanRowsAreRefused() {
        float[][] rows = Samples.normal(new Random(1), 5, 10);
        Rule rule = Rules.parse("flag(m=6)");
        assertThatThrownBy(() -> Rules.aggregate(rule, rows, 1, 1))
                .hasMessage(
                        "flag(m=6) needs n ≥ 2f + 1 and n ≥ m: with f = 1 that is 6 rows, got 5");
    }

    /** Three of eleven rows get shorter, down to a millionth of the others. */
    @Test
    void lengthsDoNotMatter() {
        Random random = new Random(3);
        float[][] rows = Samples.normal(random, 11, 2000);
        float[] common = Samples.normal(random, 1, 2000)[0];
        for (float[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                row[i] = common[i] + 0.3f * row[i];
            }
        }
        double[] expected = wide(Rules.aggregate(Rules.parse("flag"), rows, 3, 1));
        for (float factor : new float[] {0.1f, 1e-2f, 1e-4f, 1e-6f}) {
            float[][] scaled = Samples.copy(rows);
            for (int r = 1; r < 4; r++) {
                for (int i = 0; i < scaled[r].length; i++) {
                    scaled[r][i] *= factor;
                }
            }
            float[] actual = Rules.aggregate(Rules.parse("flag"), scaled, 3, 1);
            assertClose(actual, expected, 1e-6, 3);
        }
    }

    /** The third row alone has a third coordinate, of any size. */
    @Test
    void aShortRowInADirectionOfItsOwnCountsLikeAnyOther() {
        for (float s : new float[] {3, 1e-3f, 1e-5f, 1e-30f}) {
            float[][] rows = {{1, 0, 0}, {1, 0.01f, 0}, {0, 0, s}};
            float[] flag = Rules.aggregate(Rules.parse("flag(m=3)"), rows, 1, 1);
            assertClose(flag, new double[] {0.66665, 0.003333, 0.333333}, 1e-5, 1);
        }
    }

    @Test
    void aZeroRowHasNoDirection() {
        float[][] rows = Samples.normal(new Random(0), 5, 300);
        for (float[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                row[i] = 1 + 0.3f * row[i];
            }
        }
        Arrays.fill(rows[4], 0);
        for (String rule : List.of("flag", "flag(rows=raw)")) {
            Aggregator aggregator = new Aggregator(Rules.parse(rule), 2, 1);
            aggregator.aggregate(rows);
            double[] shares = aggregator.last().scores();
            assertThat(shares[4]).as(rule).isZero();
            assertThat(shares[0]).as(rule).isGreaterThan(0.8);
        }
    }

    private static void assertClose(float[] actual, double[] expected, double tolerance, int seed) {
        for (int i = 0; i < actual.length; i++) {
            assertThat((double) actual[i])
                    .as("coordinate %d, seed %d", i, seed)
                    .isCloseTo(expected[i], within(tolerance));
        }
    }

    /** Rows that differ by a thousandth of their length: the differences still count. */
    @Test
    void rowsThatAreMuchAlikeKeepTheirDifferences() {
        Random random = new Random(1);
        float[][] rows = Samples.normal(random, 7, 50);
        float[] common = Samples.normal(random, 1, 50)[0];
        for (float[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                row[i] = common[i] + 1e-3f * row[i];
            }
        }
        float[] actual = Rules.aggregate(Rules.parse("flag(m=4)"), rows, 2, 1);
        assertClose(actual, dense(rows, 4, 1), 1e-4, 1);
    }
}
