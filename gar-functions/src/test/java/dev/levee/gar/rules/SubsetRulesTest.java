package dev.levee.gar.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Rules;
import dev.levee.gar.Samples;
import dev.levee.gar.internal.SymmetricEigen;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/** MDA and SMEA against the enumeration of all subsets. */
class SubsetRulesTest {
    /** Both 1, 3, 5 and 1, 3, −1 have a diameter of 4: the rows 1, 2, 3 come first. */
    @Test
    void mdaTakesTheFirstOfEqualDiameters() {
        float[][] rows = {{9}, {1}, {3}, {5}, {-1}};
        assertThat(Rules.aggregate(new Mda(), rows, 2, 1)).containsExactly(3);
        Aggregator aggregator = new Aggregator(new Mda(), 2, 1);
        aggregator.aggregate(rows);
        assertThat(aggregator.last().scores()).containsExactly(0, 1, 1, 1, 0);
    }

    /** 2√2·2/(7 − 2). */
    @Test
    void mdaVarianceFactor() {
        assertThat(new Mda().varianceFactor(7, 2).getAsDouble())
                .isCloseTo(1.1313708498984762, within(1e-15));
        assertThat(new Mda().varianceFactor(7, 0)).hasValue(0);
    }

    /** Of 0, 10, 1, 2 the three without 10 have a scatter of 2, with it at least 2·64/3. */
    @Test
    void smeaOnALine() {
        assertThat(Rules.aggregate(new Smea(), new float[][] {{0}, {10}, {1}, {2}}, 1, 1))
                .containsExactly(1);
    }

    /**
     * The square (±1, 0), (0, ±1) has scatter 2 along both axes. With (0, 3) for (0, −1) it is 10 −
     * 4 = 6 along the second axis, for the others it is more.
     */
    @Test
    void smeaPrefersRoundSets() {
        float[][] rows = {{1, 0}, {-1, 0}, {0, 3}, {0, 1}, {0, -1}};
        assertThat(Rules.aggregate(new Smea(), rows, 1, 1)).containsExactly(0, 0);
    }

    @Test
    void smeaRefusesTooManySubsets() {
        assertThatThrownBy(() -> new Smea().check(50, 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("n = 50 and f = 10");
        new Smea().check(20, 5);
    }

    @Test
    void bothAgreeWithEnumeration() {
        for (int seed = 0; seed < 150; seed++) {
            Random random = new Random(seed);
            int f = random.nextInt(4);
            int n = 2 * f + 1 + random.nextInt(5);
            float[][] rows = rows(random, n, 1 + random.nextInt(4));
            double[][] distances = distances(rows);
            assertThat(Mda.leastDiameter(distances, f))
                    .as("mda, seed %d", seed)
                    .containsExactly(best(n, n - f, s -> diameter(distances, s)));
            int[] found = new LeastVariance(distances, n - f).subset();
            int[] expected = best(n, n - f, s -> variance(distances, s));
            assertThat(variance(distances, found))
                    .as("smea, seed %d", seed)
                    .isCloseTo(
                            variance(distances, expected),
                            within(1e-9 * variance(distances, expected)));
        }
    }

    @Test
    void mdaIsQuickWhereSubsetsAreMany() {
        Random random = new Random(5);
        double[][] equal = new double[51][51];
        for (int i = 0; i < 51; i++) {
            Arrays.fill(equal[i], 1);
            equal[i][i] = 0;
        }
        assertThat(Mda.leastDiameter(equal, 25)).hasSize(26).startsWith(0, 1, 2);
        double[][] high = distances(Samples.normal(random, 30, 1000));
        int[] chosen = Mda.leastDiameter(high, 7);
        assertThat(chosen).hasSize(23).isSorted().doesNotHaveDuplicates();
    }

    private static float[][] rows(Random random, int n, int d) {
        return switch (random.nextInt(3)) {
            case 0 -> Samples.normal(random, n, d);
            case 1 -> Samples.tied(random, n, d);
            default -> {
                float[][] clusters = Samples.normal(random, n, d);
                for (float[] row : clusters) {
                    row[0] += 5 * random.nextInt(2);
                }
                yield clusters;
            }
        };
    }

    private static int[] best(int n, int size, ToDoubleFunction<int[]> value) {
        int[] best = null;
        double least = Double.POSITIVE_INFINITY;
        int[] subset = new int[size];
        Arrays.setAll(subset, i -> i);
        while (subset != null) {
            double next = value.applyAsDouble(subset);
            if (next < least) {
                least = next;
                best = subset.clone();
            }
            subset = next(subset, n);
        }
        return best;
    }

    private static int[] next(int[] subset, int n) {
        int size = subset.length;
        for (int i = size - 1; i >= 0; i--) {
            if (subset[i] < n - size + i) {
                int[] next = subset.clone();
                for (int j = i; j < size; j++) {
                    next[j] = subset[i] + 1 + j - i;
                }
                return next;
            }
        }
        return null;
    }

    private static double[][] distances(float[][] rows) {
        double[][] distances = new double[rows.length][rows.length];
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < rows.length; j++) {
                for (int k = 0; k < rows[i].length; k++) {
                    double difference = (double) rows[i][k] - rows[j][k];
                    distances[i][j] += difference * difference;
                }
            }
        }
        return distances;
    }

    private static double diameter(double[][] distances, int[] subset) {
        double diameter = 0;
        for (int i : subset) {
            for (int j : subset) {
                diameter = Math.max(diameter, distances[i][j]);
            }
        }
        return diameter;
    }

    private static double variance(double[][] distances, int[] subset) {
        double[] weights = PairDistances.membership(subset, distances.length);
        return SymmetricEigen.of(CentredRows.of(distances, weights).covariance()).values()[0];
    }
}
