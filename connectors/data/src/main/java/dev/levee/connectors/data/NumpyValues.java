package dev.levee.connectors.data;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * Reads the values of an array in NumPy's {@code .npy} format, in the order of the file. Supported
 * are floating-point numbers of 16, 32 and 64 bits, integers of 8 to 64 bits, and booleans, which
 * become 0 and 1, in either byte order.
 */
public final class NumpyValues {
    /** Reads one number; the buffer has the file's byte order. */
    private interface Value {
        double next(ByteBuffer bytes);
    }

    private record Type(int width, Value value) {}

    /**
     * Supported types by name, without the character for byte order. Integers of 64 bits are
     * rounded to float only once.
     */
    private static final Map<String, Type> TYPES =
            Map.ofEntries(
                    Map.entry("f2", new Type(2, bytes -> half(bytes.getShort()))),
                    Map.entry("f4", new Type(4, ByteBuffer::getFloat)),
                    Map.entry("f8", new Type(8, ByteBuffer::getDouble)),
                    Map.entry("i1", new Type(1, ByteBuffer::get)),
                    Map.entry("u1", new Type(1, bytes -> Byte.toUnsignedInt(bytes.get()))),
                    Map.entry("i2", new Type(2, ByteBuffer::getShort)),
                    Map.entry("u2", new Type(2, bytes -> Short.toUnsignedInt(bytes.getShort()))),
                    Map.entry("i4", new Type(4, ByteBuffer::getInt)),
                    Map.entry("u4", new Type(4, bytes -> Integer.toUnsignedLong(bytes.getInt()))),
                    Map.entry("b1", new Type(1, ByteBuffer::get)),
                    Map.entry("i8", new Type(8, bytes -> (float) bytes.getLong())));

    private static final Type UNSIGNED_LONG = new Type(8, bytes -> unsigned(bytes.getLong()));

    private final InputStream in;
    private final String name;
    private final String descriptor;
    private final boolean byColumns;
    private final long[] shape;
    private final Type type;
    private final ByteOrder order;

    private NumpyValues(
            InputStream in, String name, String descriptor, boolean byColumns, long[] shape) {
        this.in = in;
        this.name = name;
        this.descriptor = descriptor;
        this.byColumns = byColumns;
        this.shape = shape;
        String kind = kind();
        this.type = kind.equals("u8") ? UNSIGNED_LONG : TYPES.get(kind);
        this.order = descriptor.startsWith(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    /**
     * Reads the header.
     *
     * @param name for messages
     * @throws IllegalArgumentException if there is none; one sentence
     */
    public static NumpyValues open(InputStream in, String name) throws IOException {
        String header = NumpyArray.header(in, name);
        String type = NumpyArray.find(NumpyArray.TYPE, header, name);
        boolean byColumns = NumpyArray.find(NumpyArray.ORDER, header, name).equals("True");
        String extents = NumpyArray.find(NumpyArray.SHAPE, header, name);
        return new NumpyValues(in, name, type, byColumns, NumpyArray.extents(extents, name));
    }

    /** The type as NumPy writes it, such as {@code <f4}. */
    public String type() {
        return descriptor;
    }

    /** The type without its byte order: {@code f4}, {@code U12}. */
    public String kind() {
        return descriptor.isEmpty() ? "" : descriptor.substring(1);
    }

    /** Extents of the array; empty for a single value. */
    public long[] shape() {
        return shape.clone();
    }

    /** True if the first index varies fastest, as in Fortran. */
    public boolean byColumns() {
        return byColumns;
    }

    /** True if the values are numbers that {@link #read} supports. */
    public boolean areNumbers() {
        return type != null;
    }

    /** Bytes of a number. */
    public int width() {
        return type.width();
    }

    /**
     * Reads the next numbers, rounded to float. Numbers out of range become infinite.
     *
     * @throws IllegalArgumentException if the stream ends too early
     */
    public void read(double[] to, int count) throws IOException {
        ByteBuffer bytes = bytes(count * type.width());
        for (int i = 0; i < count; i++) {
            to[i] = type.value().next(bytes);
        }
    }

    /**
     * The next bytes, as a buffer with the file's byte order.
     *
     * @throws IllegalArgumentException if the stream ends too early
     */
    public ByteBuffer bytes(int count) throws IOException {
        return ByteBuffer.wrap(NumpyArray.exactly(in, count, name)).order(order);
    }

    /**
     * Requires that everything was read.
     *
     * @throws IllegalArgumentException if there is more
     */
    public void end() throws IOException {
        if (in.read() >= 0) {
            throw wrong("is longer than its shape says");
        }
    }

    /** An error about this array. */
    public IllegalArgumentException wrong(String what) {
        return NumpyArray.wrong(name, what);
    }

    /** The value of a half-precision number (IEEE 754 binary16). */
    public static float half(short bits) {
        int exponent = (bits >> 10) & 0x1F;
        int fraction = bits & 0x3FF;
        float size =
                switch (exponent) {
                    case 0 -> fraction * 0x1p-24f;
                    case 0x1F -> fraction == 0 ? Float.POSITIVE_INFINITY : Float.NaN;
                    default -> Float.intBitsToFloat(exponent + 127 - 15 << 23 | fraction << 13);
                };
        return bits < 0 ? -size : size;
    }

    /**
     * The float nearest to an unsigned long. If the sign bit is set, half of the number is
     * converted and doubled; the bit that is shifted out stays as a sticky bit, so that rounding is
     * right.
     */
    private static float unsigned(long bits) {
        return bits >= 0 ? bits : 2 * (float) ((bits >>> 1) | (bits & 1));
    }
}
