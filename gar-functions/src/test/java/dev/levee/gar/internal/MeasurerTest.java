package dev.levee.gar.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;
import dev.levee.gar.Sample;
import dev.levee.gar.Samples;
import dev.levee.gar.block.BlockRows;
import dev.levee.gar.block.Span;
import dev.levee.gar.internal.vector.VectorKernels;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

class MeasurerTest {
    private static final Span SPAN = new Span(0, 1_000_000, 1, 0);

    private static final Look EVERYTHING =
            new Look(true, true, true, List.of(Reference.ORIGIN, Reference.PREVIOUS));

    private final Measurer plain = new Measurer(new PlainKernels());
    private final Measurer vector = new Measurer(new VectorKernels());

    /** Rows (3, 4), (0, 1) and (−1, 1), previous aggregate (1, 0). */
    @Test
    void measuresByHand() {
        float[][] rows = {{3, 4}, {0, 1}, {-1, 1}};
        float[] previous = {1, 0};
        RowMap all = RowMap.identity(3, 3);
        LookResult looked = vector.look(EVERYTHING, all, new BlockRows(rows), previous, SPAN, 0, 2);
        assertThat(looked.points()).isEqualTo(5);
        // pairs 01 02 0o 0p, 12 1o 1p, 2o 2p, op
        assertThat(looked.squaredDistances()).containsExactly(18, 25, 25, 20, 1, 1, 2, 2, 5, 0);
        assertThat(looked.innerProducts()).containsExactly(4, 1, 0, 3, 1, 0, 0, 0, -1, 0);
        assertThat(looked.squaredDistance(2, 0)).isEqualTo(25);
        Look median = new Look(false, true, false, List.of(Reference.MEDIAN));
        LookResult toMedian = vector.look(median, all, new BlockRows(rows), null, SPAN, 0, 2);
        // the median is (0, 1)
        assertThat(toMedian.squaredDistances()).containsExactly(0, 0, 18, 0, 0, 1);
    }

    @Test
    void measuresMixedRows() {
        float[][] rows = {{3, 4}, {1, 2}, {Float.NaN, 0}};
        RowMap map = new RowMap(new double[][] {{0.5, 0.5, 0}, {0, 1, 0}});
        LookResult looked = plain.look(Look.DISTANCES, map, new BlockRows(rows), null, SPAN, 0, 2);
        assertThat(looked.points()).isEqualTo(2);
        assertThat(looked.squaredDistances()).containsExactly(2);
    }

    /** A sample of some coordinates has the bits of rows that have only these. */
    @Test
    void measuresSamples() {
        for (int seed = 0; seed < 30; seed++) {
            Random random = new Random(seed);
            int n = 2 + random.nextInt(8);
            int d = 1 + random.nextInt(Kernels.CHUNK);
            float[][] rows =
                    seed % 2 == 0 ? Samples.hard(random, n, d) : Samples.normal(random, n, d);
            Sample sample = Sample.count(1 + random.nextInt(d), seed);
            int[] indices = new int[d];
            int drawn = sample.draw(new Span(0, d, 1, 0), d, indices);
            float[][] few = new float[n][drawn];
            for (int r = 0; r < n; r++) {
                for (int k = 0; k < drawn; k++) {
                    few[r][k] = rows[r][indices[k]];
                }
            }
            LookResult sampled = everything(sample, rows, d);
            LookResult packed = everything(null, few, d);
            assertThat(sampled.squaredDistances())
                    .as("distances, seed %d", seed)
                    .isEqualTo(packed.squaredDistances());
            assertThat(sampled.innerProducts())
                    .as("products, seed %d", seed)
                    .isEqualTo(packed.innerProducts());
            assertThat(sampled.signs()).as("signs, seed %d", seed).isEqualTo(packed.signs());
        }
    }

    private LookResult everything(Sample sample, float[][] rows, int d) {
        int n = rows.length;
        Look look = new Look(true, true, true, true, List.of(Reference.ORIGIN), sample);
        Span span = new Span(0, d, 1, 0);
        return vector.look(
                look, RowMap.identity(n, n), new BlockRows(rows), null, span, 0, rows[0].length);
    }

    /** One at a time in any order or all at once, by either kernels: the same bits. */
    @Test
    void arrivalOrderAndKernelsDoNotMatter() {
        for (int seed = 0; seed < 30; seed++) {
            Random random = new Random(seed);
            int n = 2 + random.nextInt(8);
            int d = 1 + random.nextInt(3 * Kernels.CHUNK);
            float[][] rows =
                    switch (seed % 3) {
                        case 0 -> Samples.hard(random, n, d);
                        case 1 -> Samples.scaled(random, n, d);
                        default -> Samples.normal(random, n, d);
                    };
            float[] previous = seed % 5 == 0 ? null : Samples.normal(random, 1, d)[0];
            LookResult all =
                    vector.look(
                            EVERYTHING,
                            RowMap.identity(n, n),
                            new BlockRows(rows),
                            previous,
                            SPAN,
                            0,
                            d);
            LookResult slow =
                    plain.look(
                            EVERYTHING,
                            RowMap.identity(n, n),
                            new BlockRows(rows),
                            previous,
                            SPAN,
                            0,
                            d);
            assertThat(slow.squaredDistances())
                    .as("distances, seed %d", seed)
                    .isEqualTo(all.squaredDistances());
            assertThat(slow.innerProducts())
                    .as("products, seed %d", seed)
                    .isEqualTo(all.innerProducts());
            float[][] present = new float[n][];
            for (int row : Samples.permutation(random, n)) {
                Measurer measurer = random.nextBoolean() ? plain : vector;
                double[] seen =
                        measurer.measure(
                                EVERYTHING, rows[row], new BlockRows(present), previous, SPAN, d);
                assertThat(seen).hasSize(2 * (n + 2));
                for (int p = 0; p < n + 2; p++) {
                    if (p >= n || present[p] != null) {
                        assertThat(seen[2 * p])
                                .as("distance of %d and %d, seed %d", row, p, seed)
                                .isEqualTo(Double.valueOf(all.squaredDistance(row, p)));
                        assertThat(seen[2 * p + 1])
                                .as("product of %d and %d, seed %d", row, p, seed)
                                .isEqualTo(Double.valueOf(all.innerProduct(row, p)));
                    } else {
                        assertThat(seen[2 * p]).isZero();
                        assertThat(seen[2 * p + 1]).isZero();
                    }
                }
                present[row] = rows[row];
            }
        }
    }

    /** Sums stay exact where float arithmetic overflows or runs out of small numbers. */
    @Test
    void extremeScalesLoseNothing() {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            int d = 1 + random.nextInt(2 * Kernels.CHUNK);
            float[][] rows = Samples.scaled(random, 2, d);
            if (random.nextBoolean()) {
                rows[1] = Samples.normal(random, 1, d)[0];
                for (int i = 0; i < d; i++) {
                    rows[1][i] = (rows[1][i] * 1e-6f + 1) * rows[0][i];
                }
            }
            Look look = new Look(true, true, true, List.of(Reference.ORIGIN));
            LookResult looked =
                    vector.look(look, RowMap.identity(2, 2), new BlockRows(rows), null, SPAN, 0, d);
            double distance = 0;
            double product = 0;
            double size = 0;
            double norm = 0;
            for (int i = 0; i < d; i++) {
                double difference = (double) rows[0][i] - rows[1][i];
                distance += difference * difference;
                product += (double) rows[0][i] * rows[1][i];
                size += Math.abs((double) rows[0][i] * rows[1][i]);
                norm += (double) rows[0][i] * rows[0][i];
            }
            assertThat(looked.squaredDistance(0, 1))
                    .as("distance, seed %d", seed)
                    .isCloseTo(distance, within(2e-6 * distance));
            assertThat(looked.squaredDistance(0, 2))
                    .as("norm, seed %d", seed)
                    .isCloseTo(norm, within(2e-6 * norm));
            assertThat(looked.innerProduct(0, 1))
                    .as("product, seed %d", seed)
                    .isCloseTo(product, within(2e-6 * size));
        }
    }

    /**
     * The pairs of one row have the bits that they have among all pairs; the others are left out.
     */
    @Test
    void pairsOfOneRowHaveTheBitsOfAllPairs() {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            int n = 1 + random.nextInt(12);
            int d = 1 + random.nextInt(2 * Kernels.CHUNK);
            BlockRows rows = new BlockRows(Samples.normal(random, n, d));
            RowMap map = RowMap.identity(n, n);
            int center = random.nextInt(n);
            LookResult all = vector.look(Look.DISTANCES, map, rows, null, SPAN, 0, d);
            LookResult some = vector.look(Look.from(center), map, rows, null, SPAN, 0, d);
            for (int i = 0; i < n; i++) {
                for (int j = i + 1; j < n; j++) {
                    boolean measured = i == center || j == center;
                    assertThat(some.squaredDistance(i, j))
                            .as("seed %d", seed)
                            .isEqualTo(measured ? all.squaredDistance(i, j) : 0);
                }
            }
        }
    }

    @Test
    void aRowThatIsNoNumberSpoilsOnlyItsOwnPairs() {
        float[][] rows = {{1, 2}, {Float.NaN, 0}, {4, 6}, {Float.POSITIVE_INFINITY, 0}};
        LookResult looked =
                vector.look(
                        Look.DISTANCES,
                        RowMap.identity(4, 4),
                        new BlockRows(rows),
                        null,
                        SPAN,
                        0,
                        2);
        assertThat(looked.squaredDistance(0, 2)).isEqualTo(25);
        assertThat(looked.squaredDistance(0, 1)).isNaN();
        assertThat(looked.squaredDistance(2, 3)).isInfinite();
    }

    @Test
    void theMedianCannotBeMeasuredAgainstEarly() {
        Look median = new Look(true, true, false, List.of(Reference.MEDIAN));
        assertThatThrownBy(
                        () ->
                                vector.measure(
                                        median,
                                        new float[1],
                                        new BlockRows(new float[0][]),
                                        null,
                                        SPAN,
                                        1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("MEDIAN");
    }
}
