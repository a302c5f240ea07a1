package dev.levee.connectors.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

class RowsFileTest {
    private static float[][] read(byte[] bytes) throws IOException {
        return RowsFile.read(new ByteArrayInputStream(bytes), "rows");
    }

    private static float[][] read(String text) throws IOException {
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    /** What NumPy wrote; resources/npy/make.py says what it is. */
    private static float[][] numpy(String file) throws IOException {
        try (InputStream in = RowsFileTest.class.getResourceAsStream("/npy/" + file + ".npy")) {
            return RowsFile.read(in, "rows");
        }
    }

    @Test
    void readsCommaSeparatedRows() throws IOException {
        float[][] rows = read("1, 2.5,-3e-2\r\n\n nan,inf,-Infinity\n");
        assertThat(rows.length).isEqualTo(2);
        assertThat(rows[0]).containsExactly(1, 2.5f, -0.03f);
        assertThat(rows[1])
                .containsExactly(Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|rows is empty: it must contain one row per line",
                "'\n \n'|rows is empty: it must contain one row per line",
                "'1,2\n\n3'|rows, line 3 has 1 values, but the rows before it have 2",
                "'1,x'|rows, line 1, value 2 is not a number: x",
                "'1,2\n3,-1e39'|rows, line 2, value 2 is out of a float's range: -1e39",
                "'1,,2'|rows, line 1, value 2 is not a number: (empty)"
            })
    void rubbishIsNamed(String text, String sentence) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "little-f2",
                "big-f2",
                "little-f4",
                "big-f4",
                "little-f8",
                "big-f8",
                "fortran-f4",
                "fortran-big-f8"
            })
    void readsFloatsAsNumpyWroteThem(String file) throws IOException {
        assertThat(numpy(file))
                .isDeepEqualTo(
                        new float[][] {{0, 1, -2, 3}, {0.5f, 100, 7, -8}, {64, -0.25f, 2, 5}});
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "i1",
                "u1",
                "little-i2",
                "big-u2",
                "little-i4",
                "big-i4",
                "little-u4",
                "little-i8",
                "big-i8",
                "little-u8"
            })
    void readsIntegersAsNumpyWroteThem(String file) throws IOException {
        assertThat(numpy(file))
                .isDeepEqualTo(new float[][] {{0, 1, 2, 3}, {4, 100, 6, 7}, {8, 9, 127, 11}});
    }

    @Test
    void readsTheEdgesOfTypes() throws IOException {
        float[][] halves = numpy("hard-f2");
        assertThat(halves[0])
                .containsExactly(0x1p-24f, -0x1.ff8p-15f, 65504, Float.POSITIVE_INFINITY);
        assertThat(halves[1])
                .containsExactly(Float.NaN, Float.NEGATIVE_INFINITY, -0f, 168 * 0x1p-24f);
        assertThat(numpy("infinite-f8")[0])
                .containsExactly(Float.POSITIVE_INFINITY, Float.NaN, Float.NEGATIVE_INFINITY, 0);
        float[][] longs = numpy("edge-u8");
        assertThat(longs[0])
                .containsExactly(0x1p64f, 0x1p63f, 0x1.000002p63f, Long.MAX_VALUE, 0xffp56f);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "beyond-float;array rows has a value out of a float's range, in row 1 at 1: "
                        + "1.0E300",
                "bool;array rows has type |b1, but needs floats of 16, 32 or 64 bits or "
                        + "integers, as numpy.save(file, rows.astype(float)) writes them",
                "complex;array rows has type <c16, but needs floats of 16, 32 or 64 bits or "
                        + "integers, as numpy.save(file, rows.astype(float)) writes them"
            })
    void otherArraysAreRefused(String file, String sentence) {
        assertThatThrownBy(() -> numpy(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
    }

    @Test
    void skipsAByteOrderMark() throws IOException {
        assertThat(read("\uFEFF1,2\n3,4\n")).isDeepEqualTo(new float[][] {{1, 2}, {3, 4}});
    }

    @Test
    void longRowsComeInPieces() throws IOException {
        float[] values = new float[300_001];
        for (int i = 0; i < values.length; i++) {
            values[i] = i;
        }
        byte[] bytes = array(new long[] {1, values.length}, values);
        assertThat(read(bytes)[0]).isEqualTo(values);
        assertThatThrownBy(() -> read(Arrays.copyOf(bytes, bytes.length - 1)))
                .hasMessage("array rows ends too early");
    }

    private static byte[] array(long[] shape, float... values) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        NumpyArray.write(out, shape, List.of(FloatBuffer.wrap(values)));
        return out.toByteArray();
    }

    @Test
    void anArrayMayHaveMoreBytesThanAJavaArray() throws IOException {
        FloatBuffer part = FloatBuffer.allocate(1 << 20);
        long values = (1L << 29) + (1 << 20);
        long written =
                NumpyArray.write(
                        OutputStream.nullOutputStream(),
                        new long[] {values},
                        Collections.nCopies((int) (values / part.capacity()), part));
        assertThat(written).isEqualTo(128 + Float.BYTES * values);
    }

    /** A header that claims more than there is costs no more memory than what is there. */
    @Test
    void claimsCostNothing() throws IOException {
        byte[] bytes = array(new long[] {2_000_000_000, 2_000_000_000}, 0);
        assertThatThrownBy(() -> read(bytes)).hasMessage("array rows ends too early");
        byte[] vector = array(new long[] {1}, 0);
        assertThatThrownBy(() -> read(vector))
                .hasMessage("array rows has shape (1,), but needs rows of numbers");
    }
}
