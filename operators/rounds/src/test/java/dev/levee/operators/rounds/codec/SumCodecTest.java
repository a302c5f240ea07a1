package dev.levee.operators.rounds.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.block.WeightedSum;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.SplittableRandom;

class SumCodecTest {
    private static byte[] written(WeightedSum sum) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        SumCodec.INSTANCE.write(sum, new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static WeightedSum read(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        WeightedSum sum = SumCodec.INSTANCE.read(in);
        assertThat(in.read()).isEqualTo(-1);
        return sum;
    }

    private static float value(int kind, SplittableRandom random) {
        double sign = random.nextBoolean() ? 1 : -1;
        return (float)
                switch (kind) {
                    case 0 -> sign * random.nextDouble();
                    case 1 -> sign * Math.pow(10, random.nextDouble(-37, 38));
                    case 2 -> sign * Float.MIN_VALUE;
                    case 3 -> sign * Float.MAX_VALUE;
                    case 4 -> sign * Math.scalb(1.0, random.nextInt(-120, 120));
                    default -> 0;
                };
    }

    @Test
    void everyCarriedDigitComesBack() throws IOException {
        for (long seed = 0; seed < 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int length = random.nextInt(1, 9000);
            WeightedSum sum = new WeightedSum(length);
            int rows = random.nextInt(0, 5);
            for (int row = 0; row < rows; row++) {
                float[] values = new float[length];
                for (int i = 0; i < length; i++) {
                    values[i] = value((i + (int) seed) % 6, random);
                }
                sum.add(values, random.nextBoolean() ? 1 : random.nextDouble() * 100);
            }
            WeightedSum expected = sum.carried();
            WeightedSum read = read(written(sum));
            assertThat(read.digits()).as("seed %d", seed).isDeepEqualTo(expected.digits());
            assertThat(read.top()).isEqualTo(expected.top());
            assertThat(read.special()).isNull();
        }
    }

    @Test
    void whatIsNotFiniteComesBack() throws IOException {
        WeightedSum sum = new WeightedSum(3);
        sum.add(new float[] {1, Float.NaN, Float.NEGATIVE_INFINITY}, 2);
        assertThat(read(written(sum)).special())
                .containsExactly(0, Double.NaN, Double.NEGATIVE_INFINITY);
    }

    /** Ten gradients of like size, as the workers of a host have them. */
    @Test
    void takesSixBytesACoordinateWhereASumInMemoryTakes25() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        int length = 100_000;
        WeightedSum sum = new WeightedSum(length);
        for (int row = 0; row < 10; row++) {
            float[] values = new float[length];
            for (int i = 0; i < length; i++) {
                values[i] = (float) (1e-3 * random.nextGaussian());
            }
            sum.add(values, 1);
        }
        assertThat(written(sum).length).isLessThan((int) (6.5 * length));
    }
}
