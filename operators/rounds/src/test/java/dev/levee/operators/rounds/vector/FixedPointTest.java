package dev.levee.operators.rounds.vector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.block.BlockRows;

import org.junit.jupiter.api.Test;

import java.util.SplittableRandom;

class FixedPointTest {
    private static float[] bits(int... integers) {
        float[] bits = new float[integers.length];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = Float.intBitsToFloat(integers[i]);
        }
        return bits;
    }

    @Test
    void aUnitIsTwoToTheMinus24() {
        assertThat(FixedPoint.of(1)).isEqualTo(1 << 24);
        assertThat(FixedPoint.of(-0.75f)).isEqualTo(-3 << 22);
        assertThat(FixedPoint.of(0.6f / (1 << 24))).isEqualTo(1);
        assertThat(FixedPoint.of(0.4f / (1 << 24))).isZero();
        assertThat(FixedPoint.of(Float.NaN)).isZero();
    }

    @Test
    void whatAddsUpToNothingLeavesTheSumWhateverItsBits() {
        SplittableRandom random = new SplittableRandom(1);
        int count = 10_000;
        int[] first = new int[count];
        int[] second = new int[count];
        float[] expected = new float[count];
        for (int i = 0; i < count; i++) {
            int mask = random.nextInt(); // one in 256 is the bits of a NaN
            int a = random.nextInt(-(1 << 29), 1 << 29);
            int b = random.nextInt(-(1 << 29), 1 << 29);
            first[i] = a + mask;
            second[i] = b - mask;
            expected[i] = (float) ((a + b) / (double) (1 << 24));
        }
        BlockRows rows = new BlockRows(new float[][] {bits(first), bits(second)});
        assertThat(FixedPoint.sum(rows, count)).isEqualTo(expected);
    }

    @Test
    void rowsMayBeginAnywhere() {
        float[] whole = bits(7, 1 << 24, 2 << 24, 9);
        assertThat(FixedPoint.sum(new BlockRows(new float[][] {whole, whole}, 1), 2))
                .containsExactly(2, 4);
    }
}
