package dev.levee.gar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.block.Span;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Samples of coordinates, drawn directly and through looks. */
class SampleTest {
    private static final int D = 50_000;

    private static int[] drawn(Sample sample, long seed, long round) {
        int[] indices = new int[D];
        int count = sample.draw(new Span(0, D, seed, round), D, indices);
        return Arrays.copyOf(indices, count);
    }

    @Test
    void cutsDoNotMatter() {
        Sample sample = Sample.share(0.1, 3);
        int[] whole = drawn(sample, 5, 2);
        Random random = new Random(1);
        int[] parts = new int[D];
        int count = 0;
        for (int from = 0; from < D; ) {
            int length = Math.min(D - from, random.nextInt(5000));
            int[] indices = new int[length];
            int part = sample.draw(new Span(from, D, 5, 2), length, indices);
            for (int k = 0; k < part; k++) {
                parts[count++] = from + indices[k];
            }
            from += length;
        }
        assertThat(Arrays.copyOf(parts, count)).isEqualTo(whole);
    }

    /** Five standard deviations of 50 000 draws are 335 at one in ten and 158 at one in fifty. */
    @Test
    void theExpectedShareIsDrawn() {
        assertThat(drawn(Sample.share(0.1, 0), 1, 0)).hasSizeBetween(5000 - 335, 5000 + 335);
        assertThat(drawn(Sample.count(1000, 0), 1, 0)).hasSizeBetween(1000 - 158, 1000 + 158);
    }

    @Test
    void enoughTakesAll() {
        assertThat(drawn(Sample.count(D, 0), 1, 0)).hasSize(D);
        assertThat(drawn(Sample.count(10L * D, 0), 1, 0)).hasSize(D).startsWith(0, 1, 2);
        assertThat(drawn(Sample.share(1, 0), 1, 0)).hasSize(D);
    }

    @Test
    void seedsRoundsAndStreamsDrawAnew() {
        int[] one = drawn(Sample.share(0.1, 0), 1, 0);
        assertThat(drawn(Sample.share(0.1, 0), 1, 0)).isEqualTo(one);
        assertThat(drawn(Sample.share(0.1, 1), 1, 0)).isNotEqualTo(one);
        assertThat(drawn(Sample.share(0.1, 0), 2, 0)).isNotEqualTo(one);
        assertThat(drawn(Sample.share(0.1, 0), 1, 1)).isNotEqualTo(one);
    }

    @Test
    void aShareMayBeBounded() {
        assertThat(drawn(new Sample(0.5, 0, 1000, 0), 1, 0))
                .isEqualTo(drawn(Sample.count(1000, 0), 1, 0));
        assertThat(drawn(new Sample(1e-6, 1000, 2000, 0), 1, 0))
                .isEqualTo(drawn(Sample.count(1000, 0), 1, 0));
        assertThat(drawn(new Sample(0.1, 10, 49_000, 0), 1, 0))
                .isEqualTo(drawn(Sample.share(0.1, 0), 1, 0));
        assertThat(drawn(new Sample(0.1, 2L * D, 3L * D, 0), 1, 0)).hasSize(D);
    }

    @Test
    void wrongSamplesAreExplained() {
        assertThatThrownBy(() -> Sample.share(0, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "a sample needs a share in (0, 1] and a count above 0, got 0.0");
        assertThatThrownBy(() -> Sample.share(1.5, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Sample.count(-1, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Signs 2 positive, 2 zero (of either sign), 1 negative and a NaN that is none of them. */
    @Test
    void signsByHand() {
        float[][] rows = {{1, 0, -0f, Float.MIN_VALUE, Float.NEGATIVE_INFINITY, Float.NaN}};
        Look signs = new Look(false, false, false, true, List.of(), null);
        LookResult looked = look(signs, rows, 0, 6, 6);
        assertThat(looked.signs()).containsExactly(2, 2, 1);
        assertThat(looked.squaredDistances()).isEmpty();
    }

    /** What a sampled look sees of a vector is what a full look sees of the drawn coordinates. */
    @Test
    void looksReadTheDrawnCoordinatesOnly() {
        float[][] rows = Samples.normal(new Random(9), 3, D);
        int[] drawn = drawn(Sample.share(0.02, 7), 4, 6);
        Look sampled =
                new Look(true, true, false, true, List.of(Reference.ORIGIN), Sample.share(0.02, 7));
        LookResult looked = look(sampled, rows, 0, D, D);
        double[] signs = new double[9];
        double distance = 0;
        for (int i : drawn) {
            for (int r = 0; r < 3; r++) {
                signs[3 * r + (rows[r][i] > 0 ? 0 : rows[r][i] == 0 ? 1 : 2)]++;
            }
            distance += Math.pow((double) rows[0][i] - rows[2][i], 2);
        }
        assertThat(looked.signs()).isEqualTo(signs);
        assertThat(looked.squaredDistance(0, 2) / distance).isBetween(1 - 1e-5, 1 + 1e-5);

        LookResult[] halves = {
            look(sampled, rows, 0, 20_000, D), look(sampled, rows, 20_000, D, D)
        };
        assertThat(BlockKernels.sum(halves).signs()).isEqualTo(signs);
    }

    private static LookResult look(Look look, float[][] rows, int from, int to, int dimension) {
        float[][] block = new float[rows.length][];
        Arrays.setAll(block, r -> Arrays.copyOfRange(rows[r], from, to));
        RowMap all = RowMap.identity(rows.length, rows.length);
        return BlockKernels.look(
                look, all, block, null, new Span(from, dimension, 4, 6), to - from);
    }
}
