package dev.levee.gar.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.levee.gar.LookResult;
import dev.levee.gar.Rules;
import dev.levee.gar.internal.eigen.SymmetricEigen;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** MDA and SMEA against all subsets. */
class SubsetRulesTest {
    /** Points on a line with many equal distances, so that ties are common, or in space. */
    private static LookResult points(Random random, int n, int kind) {
        double[][] points = new double[n][5];
        for (double[] point : points) {
            for (int i = 0; i < 5; i++) {
                point[i] =
                        switch (kind) {
                            case 0 -> i == 0 ? random.nextInt(4) : 0;
                            case 1 -> random.nextGaussian();
                            case 2 -> random.nextInt(2);
                            default -> random.nextInt(3) * 1e6 + random.nextGaussian();
                        };
            }
        }
        double[] squares = new double[LookResult.pairs(n)];
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                for (int k = 0; k < 5; k++) {
                    double difference = points[i][k] - points[j][k];
                    squares[LookResult.pair(i, j, n)] += difference * difference;
                }
            }
        }
        if (kind == 3) {
            Arrays.fill(squares, 0, random.nextInt(n), Double.NaN); // pairs of row 0
        }
        return new LookResult(n, squares, new double[0]);
    }

    /** All subsets of a size in lexicographic order. */
    private static List<int[]> subsets(int n, int size) {
        List<int[]> all = new ArrayList<>();
        collect(n, new int[size], 0, 0, all);
        return all;
    }

    private static void collect(int n, int[] chosen, int taken, int from, List<int[]> all) {
        if (taken == chosen.length) {
            all.add(chosen.clone());
            return;
        }
        for (int row = from; row < n; row++) {
            chosen[taken] = row;
            collect(n, chosen, taken + 1, row + 1, all);
        }
    }

    private static double diameter(LookResult looked, int[] rows) {
        double largest = 0;
        for (int i : rows) {
            for (int j : rows) {
                largest = Math.max(largest, Ranking.worst(looked.squaredDistance(i, j)));
            }
        }
        return largest;
    }

    private static double variance(LookResult looked, int[] rows) {
        int m = rows.length;
        double[][] centred = new double[m][m];
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < m; j++) {
                double sum = -looked.squaredDistance(rows[i], rows[j]);
                for (int k : rows) {
                    sum += looked.squaredDistance(rows[i], k) / m;
                    sum += looked.squaredDistance(rows[j], k) / m;
                    for (int l : rows) {
                        sum -= looked.squaredDistance(k, l) / m / m;
                    }
                }
                centred[i][j] = sum / 2;
            }
        }
        for (double[] row : centred) {
            for (double x : row) {
                if (!Double.isFinite(x)) {
                    return Double.POSITIVE_INFINITY;
                }
            }
        }
        return SymmetricEigen.of(centred).value(0);
    }

    @Test
    void mdaIsTheFirstSubsetOfLeastDiameter() {
        for (int seed = 0; seed < 800; seed++) {
            Random random = new Random(seed);
            int f = random.nextInt(5);
            int n = 2 * f + 1 + random.nextInt(4);
            LookResult looked = points(random, n, seed % 4);
            int[] best = null;
            for (int[] rows : subsets(n, n - f)) {
                if (best == null || diameter(looked, rows) < diameter(looked, best)) {
                    best = rows;
                }
            }
            assertThat(SmallestDiameter.subset(looked, n, n - f))
                    .as("seed %d", seed)
                    .isEqualTo(best);
        }
    }

    @Test
    void smeaIsASubsetOfLeastVariance() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int f = random.nextInt(4);
            int n = 2 * f + 1 + random.nextInt(4);
            LookResult looked = points(random, n, seed % 4);
            double least = Double.POSITIVE_INFINITY;
            for (int[] rows : subsets(n, n - f)) {
                least = Math.min(least, variance(looked, rows));
            }
            int[] chosen = new LeastVariance(looked, n, n - f).solve();
            assertThat(chosen).hasSize(n - f);
            if (least < Double.POSITIVE_INFINITY) {
                assertThat(variance(looked, chosen))
                        .as("seed %d", seed)
                        .isCloseTo(least, within(1e-10 * least + 1e-12));
            }
        }
    }

    /** Three near each other, two far: by hand both leave out the far ones. */
    @Test
    void byHand() {
        float[][] rows = {{0, 0}, {9, 9}, {0, 3}, {3, 0}, {-9, 9}};
        assertThat(Rules.aggregate(Rules.parse("mda"), rows, 2, 1)).containsExactly(1, 1);
        assertThat(Rules.aggregate(Rules.parse("smea"), rows, 2, 1)).containsExactly(1, 1);
    }

    /** On a small grid many subsets mirror each other, and only rounding tells them apart. */
    @Test
    void smeaIsNotMisledByRounding() {
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            int f = 1 + random.nextInt(3);
            int n = 2 * f + 1 + random.nextInt(4);
            LookResult looked = grid(random, n);
            double least = Double.POSITIVE_INFINITY;
            for (int[] rows : subsets(n, n - f)) {
                least = Math.min(least, variance(looked, rows));
            }
            int[] first = null;
            for (int[] rows : subsets(n, n - f)) {
                if (first == null && variance(looked, rows) <= least * (1 + 1e-9) + 1e-12) {
                    first = rows;
                }
            }
            assertThat(new LeastVariance(looked, n, n - f).solve())
                    .as("seed %d", seed)
                    .isEqualTo(first);
        }
    }

    private static LookResult grid(Random random, int n) {
        int[][] points = new int[n][3];
        double[] distances = new double[LookResult.pairs(n)];
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < 3; k++) {
                points[i][k] = random.nextInt(3) - 1;
            }
            for (int j = 0; j < i; j++) {
                for (int k = 0; k < 3; k++) {
                    int difference = points[i][k] - points[j][k];
                    distances[LookResult.pair(j, i, n)] += difference * difference;
                }
            }
        }
        return new LookResult(n, distances, new double[0]);
    }

    /** Three honest rows at 1.8e38, two others at −1.8e38: their differences are infinite. */
    @ParameterizedTest
    @ValueSource(strings = {"caf", "dnc", "smea", "geometric-median"})
    void infiniteDifferencesOfFiniteRows(String rule) {
        float far = 1.8e38f;
        float[][] rows = {{far, 1}, {far, 2}, {far, 3}, {-far, 1}, {-far, 2}};
        float[] result = Rules.aggregate(Rules.parse(rule), rows, 2, 1);
        assertThat(result[0]).isCloseTo(far, withinPercentage(1e-4));
        assertThat(result[1]).isBetween(1f, 3f);
    }

    /**
     * Mean (0, −2/7); 4/7 along the first axis is the largest variance, and the four rows at ±1
     * lose all their weight at once. That leaves n − 2f = 3, so this was the only step.
     */
    @Test
    void cafStopsWhereRoundingLeavesTracesOfWeight() {
        float[][] rows = {{0, -1}, {-1, -1}, {1, 0}, {0, -1}, {-1, 1}, {1, 0}, {0, 0}};
        float[] result = Rules.aggregate(Rules.parse("caf"), rows, 2, 1);
        assertThat(result[0]).isCloseTo(0, within(1e-6f));
        assertThat(result[1]).isCloseTo(-2 / 7f, within(1e-6f));
    }

    /** On a line 0, 2, 4: leaving out either end has diameter 2, and the first subset is {0, 2}. */
    @Test
    void tiesGoToTheFirstSubset() {
        float[][] rows = {{0}, {2}, {4}};
        assertThat(Rules.aggregate(Rules.parse("mda"), rows, 1, 1)).containsExactly(1);
        assertThat(Rules.aggregate(Rules.parse("smea"), rows, 1, 1)).containsExactly(1);
    }

    @Test
    void smeaSaysWhatIsTooMuch() {
        assertThatThrownBy(() -> Rules.parse("smea").check(30, 7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "smea chooses among 2035800 subsets with n = 30 and f = 7, but at "
                                + "most 200000 are allowed");
        Rules.parse("smea").check(20, 9);
    }

    /** Δ = 2√2·f/(q − f): for q = 11 and f = 3 that is 6√2/8. */
    @Test
    void varianceFactor() {
        assertThat(new Mda().varianceFactor(11, 3).getAsDouble())
                .isCloseTo(1.0606601717798212, within(1e-15));
    }
}
