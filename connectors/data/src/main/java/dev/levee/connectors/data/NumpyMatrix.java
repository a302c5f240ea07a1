package dev.levee.connectors.data;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A matrix in NumPy's {@code .npy} format as rows of floats: floating-point numbers of 16, 32 and
 * 64 bits and integers of 8 to 64, in either order of bytes, by rows or by columns (Fortran's
 * order). Each number becomes the nearest float.
 */
final class NumpyMatrix {
    /** Reads one number; the buffer has the file's order of bytes. */
    private interface Value {
        double next(ByteBuffer bytes);
    }

    private record Type(int width, Value value) {}

    /** Types without their order of bytes. Integers of 64 bits are rounded to float only once. */
    private static final Map<String, Type> TYPES =
            Map.of(
                    "f2", new Type(2, bytes -> half(bytes.getShort())),
                    "f4", new Type(4, ByteBuffer::getFloat),
                    "f8", new Type(8, ByteBuffer::getDouble),
                    "i1", new Type(1, ByteBuffer::get),
                    "u1", new Type(1, bytes -> Byte.toUnsignedInt(bytes.get())),
                    "i2", new Type(2, ByteBuffer::getShort),
                    "u2", new Type(2, bytes -> Short.toUnsignedInt(bytes.getShort())),
                    "i4", new Type(4, ByteBuffer::getInt),
                    "u4", new Type(4, bytes -> Integer.toUnsignedLong(bytes.getInt())),
                    "i8", new Type(8, bytes -> (float) bytes.getLong()));

    private static final Type UNSIGNED_LONG = new Type(8, bytes -> unsigned(bytes.getLong()));

    private final InputStream in;
    private final String name;
    private final Type type;
    private final ByteOrder order;

    private NumpyMatrix(InputStream in, String name, String type) {
        this.in = in;
        this.name = name;
        String kind = type.isEmpty() ? "" : type.substring(1);
        this.type = kind.equals("u8") ? UNSIGNED_LONG : TYPES.get(kind);
        order = type.startsWith(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        if (this.type == null) {
            throw NumpyArray.wrong(
                    name,
                    "has type "
                            + type
                            + ", but floats of 16, 32 or 64 bits or integers are needed, as"
                            + " numpy.save(file, rows.astype(float)) writes them");
        }
    }

    /**
     * Reads all rows. Memory grows with what is read, not with what the header claims.
     *
     * @param name for messages
     * @return the rows
     * @throws IllegalArgumentException if the stream holds anything else, or more, or a number
     *     beyond float's range
     */
    static float[][] decode(InputStream in, String name) throws IOException {
        String header = NumpyArray.header(in, name);
        NumpyMatrix matrix =
                new NumpyMatrix(in, name, NumpyArray.find(NumpyArray.TYPE, header, name));
        String extents = NumpyArray.find(NumpyArray.SHAPE, header, name);
        long[] shape = NumpyArray.extents(extents, name);
        if (shape.length != 2 || shape[0] < 1 || shape[1] < 1) {
            throw NumpyArray.wrong(
                    name, "has shape (" + extents + "), but rows of numbers are needed");
        }
        boolean byColumns = NumpyArray.find(NumpyArray.ORDER, header, name).equals("True");
        float[][] read =
                byColumns
                        ? transposed(matrix.vectors(shape[1], shape[0], "column"))
                        : matrix.vectors(shape[0], shape[1], "row");
        if (in.read() >= 0) {
            throw NumpyArray.wrong(name, "is longer than its shape says");
        }
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
        int read = 0;
        while (read < length) {
            int step = (int) Math.min(NumpyArray.CHUNK, length - read);
            ByteBuffer bytes =
                    ByteBuffer.wrap(NumpyArray.exactly(in, step * type.width(), name)).order(order);
            if (read + step > vector.length) {
                vector = Arrays.copyOf(vector, (int) Math.min(length, 2L * vector.length));
            }
            for (int i = 0; i < step; i++) {
                double value = type.value().next(bytes);
                vector[read + i] = (float) value;
                if (Float.isInfinite(vector[read + i]) && !Double.isInfinite(value)) {
                    throw NumpyArray.wrong(
                            name,
                            "holds what no float can, in %s at %d: %s"
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

    /** A number of IEEE 754's binary16. */
    private static double half(short bits) {
        int exponent = (bits >> 10) & 0x1F;
        int fraction = bits & 0x3FF;
        double size =
                switch (exponent) {
                    case 0 -> fraction * 0x1p-24;
                    case 0x1F -> fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
                    default -> Math.scalb(1024.0 + fraction, exponent - 25);
                };
        return bits < 0 ? -size : size;
    }

    /** The nearest float: of a number beyond long's range half of it, its last bit kept sticky. */
    private static float unsigned(long bits) {
        return bits >= 0 ? bits : 2 * (float) ((bits >>> 1) | (bits & 1));
    }
}
