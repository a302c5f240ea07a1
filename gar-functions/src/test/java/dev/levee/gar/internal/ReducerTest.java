package dev.levee.gar.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;
import dev.levee.gar.Samples;
import dev.levee.gar.block.BlockRows;
import dev.levee.gar.internal.vector.VectorKernels;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

class ReducerTest {
    private final Reducer plain = new Reducer(new PlainKernels());
    private final Reducer vector = new Reducer(new VectorKernels());

    private static float[] reduce(
            Reducer reducer, Reduction reduction, RowMap map, float[][] rows) {
        float[] out = new float[rows[0].length];
        reducer.reduce(map, reduction, new BlockRows(rows), null, List.of(), 0, out.length, out);
        return out;
    }

    /** Against sorting each coordinate, for every number of rows with a network. */
    @Test
    void orderStatisticsOfAnyNumberOfRows() {
        for (int n = 1; n <= 64; n++) {
            checkOrderStatistics(n, 300);
        }
    }

    /** Beyond the networks, for runs of any length to merge. */
    @ParameterizedTest
    @ValueSource(ints = {65, 80, 81, 96, 100, 128, 129, 150, 200, 256, 257, 300, 515, 1023, 2100})
    void orderStatisticsOfManyRows(int n) {
        checkOrderStatistics(n, 40);
    }

    private void checkOrderStatistics(int n, int most) {
        Random random = new Random(n);
        int d = 1 + random.nextInt(most);
        float[][] rows = n % 3 == 0 ? Samples.tied(random, n, d) : Samples.normal(random, n, d);
        RowMap all = RowMap.identity(n, n);
        int trim = random.nextInt((n + 1) / 2);
        int keep = 1 + random.nextInt(n);
        for (Reduction reduction :
                List.of(
                        new Reduction.Median(false),
                        new Reduction.Median(true),
                        new Reduction.TrimmedMean(trim),
                        new Reduction.MeanAroundMedian(keep),
                        new Reduction.MeanAroundTrimmedMean(trim, keep))) {
            float[] actual = reduce(vector, reduction, all, rows);
            assertThat(reduce(plain, reduction, all, rows))
                    .as("%s of %d rows in plain Java", reduction, n)
                    .isEqualTo(actual);
            for (int i = 0; i < d; i++) {
                float[] column = new float[n];
                for (int r = 0; r < n; r++) {
                    column[r] = rows[r][i];
                }
                Arrays.sort(column);
                assertThat(actual[i])
                        .as("%s of %d rows, coordinate %d", reduction, n, i)
                        .isEqualTo(naive(reduction, column));
            }
        }
    }

    private static float naive(Reduction reduction, float[] sorted) {
        int n = sorted.length;
        if (reduction instanceof Reduction.Median median) {
            float low = sorted[(n - 1) / 2];
            return median.lower() ? low : (float) (((double) low + sorted[n / 2]) / 2);
        } else if (reduction instanceof Reduction.TrimmedMean trimmed) {
            return (float) mean(sorted, trimmed.trim(), n - trimmed.trim());
        } else if (reduction instanceof Reduction.MeanAroundMedian around) {
            return closest(sorted, mean(sorted, (n - 1) / 2, n / 2 + 1), around.keep());
        }
        Reduction.MeanAroundTrimmedMean around = (Reduction.MeanAroundTrimmedMean) reduction;
        return closest(sorted, mean(sorted, around.trim(), n - around.trim()), around.keep());
    }

    /** Mean of the values closest to the center, of two as close the smaller. */
    private static float closest(float[] sorted, double center, int keep) {
        Float[] values = new Float[sorted.length];
        Arrays.setAll(values, i -> sorted[i]);
        Arrays.sort(values, Comparator.comparingDouble(x -> Math.abs(x - center)));
        float[] kept = new float[keep];
        for (int i = 0; i < keep; i++) {
            kept[i] = values[i];
        }
        Arrays.sort(kept);
        return (float) mean(kept, 0, keep);
    }

    private static double mean(float[] sorted, int low, int high) {
        double sum = 0;
        for (int r = low; r < high; r++) {
            sum += sorted[r];
        }
        return sum / (high - low);
    }

    /** Sorted: −9, 1, 2, 4, 8; median 2, mean of the middle three 7/3. */
    @Test
    void reductionsByHand() {
        float[][] rows = {{4}, {-9}, {1}, {8}, {2}};
        RowMap all = RowMap.identity(5, 5);
        assertThat(reduce(vector, new Reduction.Mean(), all, rows)).containsExactly(1.2f);
        assertThat(reduce(vector, new Reduction.Median(false), all, rows)).containsExactly(2);
        assertThat(reduce(vector, new Reduction.TrimmedMean(1), all, rows))
                .containsExactly((float) (7 / 3.0));
        assertThat(reduce(vector, new Reduction.MeanAroundMedian(4), all, rows))
                .containsExactly(3.75f);
        assertThat(reduce(vector, new Reduction.MeanAroundTrimmedMean(1, 2), all, rows))
                .containsExactly(1.5f);
    }

    /** Mixtures are read as weighted sums; a selection is the row itself. */
    @Test
    void reducesMixtures() {
        float[][] rows = {{1, 10}, {3, 20}, {Float.NaN, Float.POSITIVE_INFINITY}};
        RowMap map = new RowMap(new double[][] {{0.5, 0.5, 0}, {0, 1, 0}, {2, -1, 0}});
        assertThat(reduce(vector, new Reduction.Median(false), map, rows)).containsExactly(2, 15);
        assertThat(reduce(vector, new Reduction.Mean(), map, rows))
                .containsExactly((float) (4 / 3.0), (float) (35 / 3.0));
        RowMap second = RowMap.select(new int[] {1}, 3);
        assertThat(reduce(vector, new Reduction.Mean(), second, rows)).containsExactly(3, 20);
    }

    @Test
    void mixesReferences() {
        float[][] rows = {{1, 5}, {3, 5}, {8, 8}};
        RowMap map = new RowMap(new double[][] {{1, 0, 0, 2, 7, 1}});
        List<Reference> references =
                List.of(Reference.PREVIOUS, Reference.ORIGIN, Reference.MEDIAN);
        float[] out = new float[2];
        vector.reduce(
                map,
                new Reduction.Mean(),
                new BlockRows(rows),
                new float[] {10, -1},
                references,
                0,
                2,
                out);
        assertThat(out).containsExactly(24, 8);
        vector.reduce(map, new Reduction.Mean(), new BlockRows(rows), null, references, 0, 2, out);
        assertThat(out).containsExactly(4, 10);
        assertThatThrownBy(() -> reduce(vector, new Reduction.Mean(), map, rows))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("6 points");
    }

    @Test
    void writesOnlyTheCoordinatesAskedFor() {
        float[][] rows = {{1, 2, 3, 4}, {3, 4, 5, 6}, {9, 9, 9, 9}};
        float[] out = {-1, -1, -1, -1};
        for (Reduction reduction : List.of(new Reduction.Mean(), new Reduction.Median(false))) {
            RowMap two = RowMap.select(new int[] {0, 1}, 3);
            vector.reduce(two, reduction, new BlockRows(rows), null, List.of(), 1, 3, out);
            assertThat(out).containsExactly(-1, 3, 4, -1);
        }
    }

    /** The plain and the vector kernels, and any cut into pieces, give the same bits. */
    @Test
    void kernelsAndCutsDoNotMatter() {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            int n = seed < 50 ? 1 + random.nextInt(30) : 65 + random.nextInt(300);
            int d = 1 + random.nextInt(seed < 50 ? 2 * Kernels.CHUNK : 300);
            float[][] rows = Samples.hard(random, n, d);
            int trim = random.nextInt((n + 1) / 2);
            int keep = 1 + random.nextInt(n);
            RowMap map = seed % 2 == 0 ? RowMap.identity(n, n) : mixture(random, n);
            for (Reduction reduction :
                    List.of(
                            new Reduction.Mean(),
                            new Reduction.Median(false),
                            new Reduction.TrimmedMean(trim),
                            new Reduction.MeanAroundMedian(keep))) {
                float[] expected = reduce(plain, reduction, map, rows);
                float[] actual = reduce(vector, reduction, map, rows);
                assertThat(Arrays.mismatch(actual, expected))
                        .as("%s of %d rows, first difference, seed %d", reduction, n, seed)
                        .isEqualTo(-1);
                int cut = random.nextInt(d);
                float[] pieces = new float[d];
                vector.reduce(map, reduction, new BlockRows(rows), null, List.of(), 0, cut, pieces);
                vector.reduce(map, reduction, new BlockRows(rows), null, List.of(), cut, d, pieces);
                assertThat(Arrays.mismatch(pieces, expected))
                        .as("%s cut at %d, first difference, seed %d", reduction, cut, seed)
                        .isEqualTo(-1);
            }
        }
    }

    private static RowMap mixture(Random random, int n) {
        double[][] weights = new double[n][n];
        for (double[] output : weights) {
            for (int i = 0; i < n; i++) {
                output[i] = random.nextBoolean() ? 0 : random.nextDouble();
            }
        }
        return new RowMap(weights);
    }

    /** Values that are no numbers, of either sign, sort above all others: 1, 2, 3, NaN, NaN. */
    @Test
    void orderStatisticsSurviveValuesThatAreNoNumbers() {
        float minusNaN = Float.intBitsToFloat(0xffc00000);
        float[][] rows = {{Float.NaN}, {1}, {minusNaN}, {2}, {3}};
        RowMap all = RowMap.identity(5, 5);
        assertThat(reduce(vector, new Reduction.Median(false), all, rows)).containsExactly(3);
        assertThat(reduce(vector, new Reduction.TrimmedMean(2), all, rows)).containsExactly(3);
        assertThat(reduce(vector, new Reduction.MeanAroundMedian(3), all, rows)).containsExactly(2);
        assertThat(reduce(vector, new Reduction.MeanAroundTrimmedMean(2, 3), all, rows))
                .containsExactly(2);
    }

    @Test
    void impossibleReductionsAreExplained() {
        float[][] rows = {{1}, {2}};
        RowMap all = RowMap.identity(2, 2);
        assertThatThrownBy(() -> reduce(vector, new Reduction.TrimmedMean(1), all, rows))
                .hasMessage("cannot drop 1 values at each end of 2");
        assertThatThrownBy(() -> reduce(vector, new Reduction.MeanAroundMedian(3), all, rows))
                .hasMessageContaining("cannot keep 3 of 2 values");
    }
}
