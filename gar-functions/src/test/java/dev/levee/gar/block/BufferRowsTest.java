package dev.levee.gar.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.gar.Samples;
import dev.levee.gar.python.NativeArrays;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Rows outside the heap have the aggregates and forgeries of the same rows in arrays. */
@Tag("long")
class BufferRowsTest {
    private static final int ROWS = 15;

    /** Rows that begin a few floats apart. */
    private static ByteBuffer matrix(float[][] rows, int stride) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(rows.length * stride * Float.BYTES);
        FloatBuffer floats = bytes.order(ByteOrder.nativeOrder()).asFloatBuffer();
        for (int i = 0; i < rows.length; i++) {
            floats.put(i * stride, rows[i]);
        }
        return bytes.order(ByteOrder.BIG_ENDIAN); // as foreign memory comes
    }

    private static float[] floats(ByteBuffer bytes) {
        float[] values = new float[bytes.capacity() / Float.BYTES];
        bytes.order(ByteOrder.nativeOrder()).asFloatBuffer().get(values);
        return values;
    }

    static Stream<String> rules() {
        return Stream.concat(
                Rules.names().stream(),
                Stream.of("clip(2) | nnm | trimmed-mean", "bucketing | median", "arc | krum"));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void bitsDoNotDependOnWhereRowsLie(String name) {
        Rule rule = Rules.parse(name.equals("monna") ? "monna(w0)" : name);
        double[] scores =
                rule.needsScores() ? IntStream.range(0, ROWS).asDoubleStream().toArray() : null;
        for (int d : new int[] {1, 4099, Blocks.SIZE + 5000}) {
            float[][] rows = Samples.normal(new Random(d), ROWS, d);
            BufferRows outside = NativeArrays.rows(matrix(rows, d + 3), ROWS, d, d + 3);
            Aggregator inArrays = new Aggregator(rule, 2, 1);
            Aggregator inBuffers = new Aggregator(rule, 2, 1).threads(d % 2 + 1);
            for (int round = 0; round < 2; round++) {
                float[] expected =
                        inArrays.aggregate(rows, scores == null ? new double[0] : scores);
                ByteBuffer out = ByteBuffer.allocateDirect(d * Float.BYTES);
                NativeArrays.aggregate(inBuffers, outside, null, scores, out);
                assertThat(Arrays.mismatch(floats(out), expected))
                        .as("first difference of %d coordinates, round %d", d, round)
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void oneCallAggregatesAFirstRound() {
        float[][] rows = {{-1, -1}, {1, 2}, {3, 4}, {50, 60}};
        ByteBuffer out = ByteBuffer.allocateDirect(4 * Float.BYTES);
        NativeArrays.aggregateOnce(
                Rules.parse("median"), 1, 1, 1, matrix(rows, 2), 8, 3, 2, 2, out, 4);
        assertThat(floats(out)).containsExactly(0, 3, 4, 0);
    }

    @Test
    void rowsMayHaveBuffersOfTheirOwn() {
        ByteBuffer first = matrix(new float[][] {{1, 2, 3}}, 3);
        ByteBuffer second = matrix(new float[][] {{3, 4, 5}}, 3);
        ByteBuffer out = ByteBuffer.allocateDirect(3 * Float.BYTES);
        NativeArrays.aggregate(
                new Aggregator(Rules.parse("average"), 0, 1),
                NativeArrays.rows(List.of(first, second)),
                new double[] {3, 1},
                null,
                out);
        assertThat(floats(out)).containsExactly(1.5f, 2.5f, 3.5f);
    }

    @Test
    void attackersSeeTheRows() {
        float[][] rows = Samples.normal(new Random(1), 6, 5000);
        Attack attack = Attacks.parse("little-is-enough");
        ByteBuffer out = ByteBuffer.allocateDirect(2 * 5000 * Float.BYTES);
        NativeArrays.attack(
                attack, NativeArrays.rows(matrix(rows, 5000), 6, 5000, 5000), 2, 0, 1, out);
        float[][] expected = Attacks.rows(attack, rows, 2, 0, 1);
        assertThat(Arrays.copyOfRange(floats(out), 5000, 10_000)).isEqualTo(expected[1]);
    }

    @Test
    void rowsOfDifferentLengthsAreRefused() {
        List<FloatBuffer> rows = List.of(FloatBuffer.allocate(3), FloatBuffer.allocate(4));
        assertThatThrownBy(() -> new BufferRows(rows))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("all rows must have 3 coordinates, row 1 has 4");
    }
}
