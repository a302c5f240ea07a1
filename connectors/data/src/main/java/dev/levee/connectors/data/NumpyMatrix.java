package dev.levee.connectors.data;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads a matrix in NumPy's {@code .npy} format as rows of floats. The file has floating-point
 * numbers of 16, 32 or 64 bits or integers of 8 to 64 bits, in either byte order, by rows or by
 * columns (Fortran's order). Each number becomes the nearest float.
 */
final class NumpyMatrix {
    private final NumpyValues values;
    private final String name;

    private NumpyMatrix(NumpyValues values, String name) {
        this.values = values;
        this.name = name;
        if (!values.areNumbers() || values.kind().equals("b1")) {
            throw NumpyArray.wrong(
                    name,
                    ("has type %s, but needs floats of 16, 32 or 64 bits or integers, as "
                                    + "numpy.save(file, rows.astype(float)) writes them")
                            .formatted(values.type()));
        }
    }

    /**
     * Reads all rows. Memory grows with the data read, not with the size claimed by the header.
     *
     * @param name for messages
     * @return the rows
     * @throws IllegalArgumentException if the stream holds anything else, more data, or a number
     *     out of a float's range
     */
    static float[][] decode(InputStream in, String name) throws IOException {
        NumpyValues values = NumpyValues.open(in, name);
        NumpyMatrix matrix = new NumpyMatrix(values, name);
        long[] shape = values.shape();
        if (shape.length != 2 || shape[0] < 1 || shape[1] < 1) {
            throw NumpyArray.wrong(
                    name, "has shape " + NumpyArray.tuple(shape) + ", but needs rows of numbers");
        }
        float[][] read =
                values.byColumns()
                        ? transposed(matrix.vectors(shape[1], shape[0], "column"))
                        : matrix.vectors(shape[0], shape[1], "row");
        values.end();
        return read;
    }

    private float[][] vectors(long count, long length, String what) throws IOException {
        List<float[]> vectors = new ArrayList<>();
        for (long v = 0; v < count; v++) {
            vectors.add(vector(length, what + " " + v));
        }
        return vectors.toArray(float[][]::new);
    }

    private float[] vector(long length, String what) throws IOException {
        float[] vector = new float[(int) Math.min(NumpyArray.CHUNK, length)];
        double[] chunk = new double[vector.length];
        int read = 0;
        while (read < length) {
            int step = (int) Math.min(NumpyArray.CHUNK, length - read);
            values.read(chunk, step);
            if (read + step > vector.length) {
                vector = Arrays.copyOf(vector, (int) Math.min(length, 2L * vector.length));
            }
            for (int i = 0; i < step; i++) {
                double value = chunk[i];
                vector[read + i] = (float) value;
                if (Float.isInfinite(vector[read + i]) && !Double.isInfinite(value)) {
                    throw NumpyArray.wrong(
                            name,
                            "has a value out of a float's range, in %s at %d: %s"
                                    .formatted(what, read + i, value));
                }
            }
            read += step;
        }
        return vector;
    }

    private static float[][] transposed(float[][] columns) {
        float[][] rows = new float[columns[0].length][columns.length];
        for (int c = 0; c < columns.length; c++) {
            for (int r = 0; r < rows.length; r++) {
                rows[r][c] = columns[c][r];
            }
        }
        return rows;
    }
}
