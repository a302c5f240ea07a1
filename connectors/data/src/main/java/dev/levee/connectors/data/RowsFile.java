package dev.levee.connectors.data;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Reads rows of numbers, such as gradients, from comma-separated values without a header or from a
 * matrix in NumPy's {@code .npy} format.
 */
public final class RowsFile {
    /** First byte of an {@code .npy} file; no text file begins with it. */
    private static final int NUMPY = 0x93;

    /** The byte order mark that some programs write at the start of UTF-8 files. */
    private static final char BYTE_ORDER_MARK = 0xFEFF;

    private RowsFile() {}

    /**
     * Reads all rows; empty lines are skipped.
     *
     * @param name the name of the file, for messages
     * @return at least one row, all of the same length
     * @throws IllegalArgumentException if there is no row, a value is not a number or exceeds
     *     float's range, or a row's length differs from the first row's; one sentence
     */
    public static float[][] read(InputStream in, String name) throws IOException {
        BufferedInputStream bytes = new BufferedInputStream(in, 1 << 16);
        bytes.mark(1);
        int first = bytes.read();
        bytes.reset();
        return first == NUMPY ? NumpyMatrix.decode(bytes, name) : csv(bytes, name);
    }

    private static float[][] csv(InputStream in, String name) throws IOException {
        BufferedReader reader =
                new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8), 1 << 16);
        List<float[]> rows = new ArrayList<>();
        int number = 0;
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            if (number++ == 0 && !line.isEmpty() && line.charAt(0) == BYTE_ORDER_MARK) {
                line = line.substring(1);
            }
            if (line.isBlank()) {
                continue;
            }
            float[] row = row(line, name, number);
            if (!rows.isEmpty() && row.length != rows.get(0).length) {
                throw new IllegalArgumentException(
                        "%s, line %d has %d values, but the rows before it have %d"
                                .formatted(name, number, row.length, rows.get(0).length));
            }
            rows.add(row);
        }
        if (rows.isEmpty()) {
            throw new IllegalArgumentException(
                    name + " is empty: it must contain one row per line");
        }
        return rows.toArray(float[][]::new);
    }

    private static float[] row(String line, String name, int number) {
        int values = 1;
        for (int i = 0; i < line.length(); i++) {
            values += line.charAt(i) == ',' ? 1 : 0;
        }
        float[] row = new float[values];
        int start = 0;
        for (int i = 0; i < values; i++) {
            int comma = line.indexOf(',', start);
            int end = comma < 0 ? line.length() : comma;
            row[i] = value(line.substring(start, end).strip(), name, number, i + 1);
            start = end + 1;
        }
        return row;
    }

    private static float value(String text, String name, int line, int column) {
        try {
            float value = Float.parseFloat(text);
            if (Float.isInfinite(value) && !text.contains("Infinity")) {
                throw new IllegalArgumentException(
                        "%s, line %d, value %d is out of a float's range: %s"
                                .formatted(name, line, column, shortened(text)));
            }
            return value;
        } catch (NumberFormatException e) {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "nan", "+nan", "-nan" -> Float.NaN;
                case "inf", "+inf", "infinity", "+infinity" -> Float.POSITIVE_INFINITY;
                case "-inf", "-infinity" -> Float.NEGATIVE_INFINITY;
                default ->
                        throw new IllegalArgumentException(
                                "%s, line %d, value %d is not a number: %s"
                                        .formatted(
                                                name,
                                                line,
                                                column,
                                                text.isEmpty() ? "(empty)" : shortened(text)),
                                e);
            };
        }
    }

    private static String shortened(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }
}
