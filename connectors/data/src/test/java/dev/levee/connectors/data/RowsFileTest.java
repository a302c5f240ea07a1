package dev.levee.connectors.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

class RowsFileTest {
    private static float[][] read(byte[] bytes) throws IOException {
        return RowsFile.read(new ByteArrayInputStream(bytes), "rows");
    }

    private static float[][] read(String text) throws IOException {
        return read(text.getBytes(StandardCharsets.UTF_8));
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
                "''|rows is empty: it should hold a row a line",
                "'\n \n'|rows is empty: it should hold a row a line",
                "'1,2\n\n3'|rows, line 3 has 1 values, the rows before it have 2",
                "'1,x'|rows, line 1, value 2 is no number: x",
                "'1,,2'|rows, line 1, value 2 is no number: (empty)"
            })
    void rubbishIsNamed(String text, String sentence) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
    }

    @Test
    void readsNumpyMatricesOfFloatsAndDoubles() throws IOException {
        float[] values = {1, 2, 3, 4, 5, 6};
        byte[] floats = NumpyArray.encode(new long[] {2, 3}, values, 0, 6);
        assertThat(read(floats)).isDeepEqualTo(new float[][] {{1, 2, 3}, {4, 5, 6}});

        int start = floats.length - 6 * Float.BYTES;
        String header = new String(floats, 0, start, StandardCharsets.ISO_8859_1);
        ByteBuffer doubles =
                ByteBuffer.allocate(start + 6 * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        doubles.put(header.replace("<f4", "<f8").getBytes(StandardCharsets.ISO_8859_1));
        for (float value : values) {
            doubles.putDouble(value);
        }
        assertThat(read(doubles.array())).isDeepEqualTo(new float[][] {{1, 2, 3}, {4, 5, 6}});
    }

    @Test
    void longRowsComeInPieces() throws IOException {
        float[] values = new float[300_001];
        for (int i = 0; i < values.length; i++) {
            values[i] = i;
        }
        byte[] bytes = NumpyArray.encode(new long[] {1, values.length}, values, 0, values.length);
        assertThat(read(bytes)[0]).isEqualTo(values);
        assertThatThrownBy(() -> read(Arrays.copyOf(bytes, bytes.length - 1)))
                .hasMessage("array rows ends too early");
    }

    /** A header that claims more than there is costs no more memory than what is there. */
    @Test
    void claimsCostNothing() {
        byte[] bytes =
                NumpyArray.encode(new long[] {2_000_000_000, 2_000_000_000}, new float[1], 0, 1);
        assertThatThrownBy(() -> read(bytes)).hasMessage("array rows ends too early");
        byte[] vector = NumpyArray.encode(new long[] {1}, new float[1], 0, 1);
        assertThatThrownBy(() -> read(vector))
                .hasMessage("array rows has shape (1,), but rows of numbers are needed");
    }
}
