package dev.levee.gar.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.gar.Rules;

import org.junit.jupiter.api.Test;

/** Each rule on rows small enough to work out by hand. */
class RuleExamplesTest {
    /** Five points on a line and one far away, in two coordinates. */
    private static final float[][] POINTS = {{0, 0}, {1, 0}, {2, 1}, {4, 1}, {5, 3}, {100, -50}};

    private static float[] aggregate(String rule, int f, float[]... rows) {
        return Rules.aggregate(Rules.parse(rule), rows, f, 1);
    }

    @Test
    void average() {
        assertThat(aggregate("average", 0, POINTS)).containsExactly(112f / 6, -7.5f);
    }

    /** Sorted: 0 1 2 4 5 100 and −50 0 0 1 1 3. */
    @Test
    void median() {
        assertThat(aggregate("median", 1, POINTS)).containsExactly(3, 0.5f);
        assertThat(aggregate("median(lower)", 1, POINTS)).containsExactly(2, 0);
        assertThat(aggregate("median", 1, new float[] {1}, new float[] {9}, new float[] {2}))
                .containsExactly(2);
    }

    /** Without the ends: 1 2 4 5 and 0 0 1 1; without two of each: 2 4 and 0 1. */
    @Test
    void trimmedMean() {
        assertThat(aggregate("trimmed-mean", 1, POINTS)).containsExactly(3, 0.5f);
        assertThat(aggregate("trimmed-mean", 2, POINTS)).containsExactly(3, 0.5f);
        assertThat(aggregate("trimmed-mean", 0, POINTS)).containsExactly(112f / 6, -7.5f);
        assertThat(aggregate("trimmed-mean", 1, col(1), col(2), col(6), col(9), col(100)))
                .containsExactly((float) (17 / 3.0));
    }

    /**
     * n = 6, f = 1: three nearest others. Squared distances 0: 1, 5, 17 = 23; 1: 1, 2, 10 = 13; 2:
     * 2, 4, 5 = 11; 3: 4, 5, 10 = 19; 4: 5, 13, 25 = 43. Krum is row 2, Multi-Krum rows 1, 2, 3.
     */
    @Test
    void krumAndMultiKrum() {
        assertThat(aggregate("krum", 1, POINTS)).containsExactly(2, 1);
        assertThat(aggregate("multi-krum", 1, POINTS))
                .containsExactly((float) (7 / 3.0), (float) (2 / 3.0));
        assertThat(aggregate("multi-krum(m=2)", 1, POINTS)).containsExactly(1.5f, 0.5f);
        assertThat(aggregate("multi-krum(m=1)", 1, POINTS)).containsExactly(2, 1);
        assertThat(aggregate("multi-krum(m=5)", 1, POINTS)).containsExactly(2.4f, 1);
    }

    /** Proven faults can leave f = 0 and three rows: one neighbour, one row. */
    @Test
    void multiKrumOfThreeRowsWithoutFaults() {
        assertThat(aggregate("multi-krum", 0, col(0), col(10), col(11))).containsExactly(10);
        assertThat(aggregate("krum", 0, col(0), col(10), col(11))).containsExactly(10);
    }

    /** Four corners of a square all have the same score; so do duplicates. */
    @Test
    void krumTiesGoToTheLowestRow() {
        float[][] square = {{1, 0}, {0, 0}, {0, 1}, {1, 1}};
        assertThat(aggregate("krum", 0, square)).containsExactly(1, 0);
        assertThat(aggregate("multi-krum", 0, square)).containsExactly(0.5f, 0);
        assertThat(aggregate("krum", 0, col(7), col(5), col(5), col(5))).containsExactly(5);
    }

    /** Norms 5, 1, 0 and 13 against a bound of 2.5. */
    @Test
    void clip() {
        float[][] rows = {{3, 4}, {0, 1}, {0, 0}, {-5, 12}};
        float[] clipped = aggregate("clip(2.5) | average", 0, rows);
        assertThat(clipped[0]).isCloseTo((float) ((1.5 - 12.5 / 13) / 4), within(1e-7f));
        assertThat(clipped[1]).isCloseTo((float) ((2 + 1 + 30.0 / 13) / 4), within(1e-7f));
    }

    /**
     * n = 4, f = 1: the three nearest of 0, 1, 3, 10 are {0, 1, 3}, {1, 0, 3}, {3, 1, 0}, {10, 3,
     * 1}: means 4/3, 4/3, 4/3, 14/3.
     */
    @Test
    void nearestNeighbourMixing() {
        float[][] rows = {col(0), col(1), col(3), col(10)};
        assertThat(aggregate("nnm | average", 1, rows)[0])
                .isCloseTo((float) (26 / 12.0), within(1e-6f));
        assertThat(aggregate("nnm | median", 1, rows)[0])
                .isCloseTo((float) (4 / 3.0), within(1e-6f));
    }

    /** Of 1 and −1, equally near to 0, the lower row is mixed in: means 0.5, 0.5, −0.5. */
    @Test
    void mixingTiesGoToTheLowestRow() {
        assertThat(aggregate("nnm | median", 1, col(0), col(1), col(-1))).containsExactly(0.5f);
        assertThat(aggregate("nnm | median", 1, col(0), col(-1), col(1))).containsExactly(-0.5f);
    }

    /**
     * Clipped to norm 2: 1, 2, 2, −2. With f = 1 the three nearest: 1: {1, 2, 2}; 2: {2, 2, 1}
     * twice; −2: {−2, 1, 2}: means 5/3, 5/3, 5/3, 1/3, of which the trimmed mean is 5/3.
     */
    @Test
    void pipeline() {
        float[] result =
                aggregate("clip(2) | nnm | trimmed-mean", 1, col(1), col(2), col(8), col(-90));
        assertThat(result[0]).isCloseTo((float) (5 / 3.0), within(1e-6f));
    }

    private static float[] col(float x) {
        return new float[] {x};
    }
}
