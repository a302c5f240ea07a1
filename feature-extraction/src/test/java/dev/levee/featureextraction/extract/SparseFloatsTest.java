package dev.levee.featureextraction.extract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

class SparseFloatsTest {
    @Test
    void keepsEveryBit() {
        float[] odd = {
            0, -0f, Float.NaN, Float.MIN_VALUE, Float.NEGATIVE_INFINITY, 0, 0, 0, 0, 1.5f, 0
        };
        Random random = new Random(1);
        for (int length : new int[] {0, 1, 7, 8, 9, 1000}) {
            for (double share : new double[] {0, 0.1, 0.5, 0.99, 1}) {
                float[] values = new float[length];
                for (int i = 0; i < length; i++) {
                    values[i] = random.nextDouble() < share ? (float) random.nextGaussian() : 0;
                }
                assertSame(values);
            }
        }
        assertSame(odd);
    }

    private static void assertSame(float[] values) {
        float[] read = SparseFloats.decode(SparseFloats.encode(values), values.length);
        int[] bits = new int[values.length];
        int[] expected = new int[values.length];
        Arrays.setAll(bits, i -> Float.floatToRawIntBits(read[i]));
        Arrays.setAll(expected, i -> Float.floatToRawIntBits(values[i]));
        assertThat(bits).isEqualTo(expected);
    }

    @Test
    void takesABitForAZeroAndNeverMoreThanAllValues() {
        float[] values = new float[8000];
        Arrays.fill(values, 0, 100, 1);
        assertThat(SparseFloats.encode(values)).hasSize(1 + 1000 + 400);
        Arrays.fill(values, 2);
        assertThat(SparseFloats.encode(values)).hasSize(1 + 32_000);
    }

    @Test
    void refusesBytesOfOtherValues() {
        byte[] encoded = SparseFloats.encode(new float[] {0, 0, 3, 0, 0, 0, 0, 0, 0, 0});
        assertThatThrownBy(() -> SparseFloats.decode(encoded, 100))
                .hasMessage("7 bytes are not those of 100 values");
        assertThatThrownBy(() -> SparseFloats.decode(Arrays.copyOf(encoded, 5), 10))
                .hasMessage("5 bytes are too few for their bitmap");
        assertThatThrownBy(() -> SparseFloats.decode(Arrays.copyOf(encoded, 8), 10))
                .hasMessage("8 bytes are too many for their bitmap");
        assertThatThrownBy(() -> SparseFloats.decode(new byte[0], 10))
                .hasMessage("0 bytes are not those of 10 values");
    }
}
