package dev.levee.operators.rounds.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.block.WeightedSum;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;

class SumCodecTest {
    private static final SumCodec CODEC = new SumCodec(true);

    private static byte[] written(WeightedSum sum) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CODEC.write(sum, new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static WeightedSum read(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        WeightedSum sum = CODEC.read(in);
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
    void everyDigitComesBack() throws IOException {
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
            WeightedSum read = read(written(sum));
            assertThat(read.digits()).as("seed %d", seed).isDeepEqualTo(sum.digits());
            assertThat(read.top()).isEqualTo(sum.top());
            assertThat(read.special()).isNull();
        }
    }

    /**
     * In units of 2⁻⁶⁴, each v is −1 and a half. Its half is dropped when 1 comes, so 1, v, v and
     * −1 add up to −2. The sum of both v is −3, with a carry that must not stay.
     */
    @Test
    void aSumThatTravelledIsAddedAsIfItHadNot() throws IOException {
        float[] small = {(float) (-1.5 * Math.scalb(1.0, -64))};
        WeightedSum part = new WeightedSum(1);
        part.add(small, 1);
        part.add(small, 1);
        for (WeightedSum each : List.of(part, read(written(part)))) {
            WeightedSum all = new WeightedSum(1);
            all.add(new float[] {1}, 1);
            all.add(each);
            all.add(new float[] {-1}, 1);
            float[] out = new float[1];
            all.over(1, out);
            assertThat(out).containsExactly((float) (-2 * Math.scalb(1.0, -64)));
        }
    }

    /** Sums of 2³¹ rows have the longest carries, of 32 bits. */
    @Test
    void theLongestCarriesComeBack() throws IOException {
        long most = (1L << 63) - (1L << 31);
        long[][] digits = {{1, -1, 0}, {most, -most, 5}, {-most, most, -1}};
        byte[] top = {9, 9, 9};
        WeightedSum read = read(written(WeightedSum.of(digits, top, null)));
        assertThat(read.digits()).isDeepEqualTo(digits);
    }

    /** The format before carries, which checkpoints may hold. */
    @Test
    void aSumWithoutItsCarriesIsStillRead() throws IOException {
        SumCodec before = new SumCodec(false);
        WeightedSum sum = new WeightedSum(2);
        sum.add(new float[] {-1, 5}, 0.3);
        WeightedSum read = before.of(before.bytes(sum));
        float[] out = new float[2];
        read.over(0.3, out);
        assertThat(out).containsExactly(-1, 5);
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
