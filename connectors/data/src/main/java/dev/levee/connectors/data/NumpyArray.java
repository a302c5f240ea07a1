package dev.levee.connectors.data;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One float32 array in NumPy's {@code .npy} format, versions 1.0 to 3.0: magic, version, length of
 * the header, the header as a Python dictionary, the values in little-endian order.
 */
public final class NumpyArray {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int ALIGNMENT = 64;
    private static final int LONGEST_HEADER = 64 * 1024;
    static final int CHUNK = 64 * 1024;

    static final Pattern TYPE = Pattern.compile("'descr'\\s*:\\s*'([^']*)'");
    static final Pattern ORDER = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
    static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([0-9,\\s]*)\\)");

    /**
     * An array's header.
     *
     * @param type the type in NumPy's notation, such as {@code <f4} for float32
     * @param shape extents
     */
    public record Form(String type, long[] shape) {}

    private NumpyArray() {}

    /**
     * Reads an array's header.
     *
     * @param name for messages
     * @throws IllegalArgumentException if the stream does not start with an array in this format
     */
    public static Form form(InputStream in, String name) throws IOException {
        String header = header(in, name);
        return new Form(find(TYPE, header, name), extents(find(SHAPE, header, name), name));
    }

    /**
     * Writes an array to a stream, which stays open.
     *
     * @param values the values in order, in parts
     * @return number of bytes written
     */
    public static long write(OutputStream out, long[] shape, Iterable<FloatBuffer> values)
            throws IOException {
        byte[] header = header(shape);
        out.write(header);
        long written = header.length;
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK).order(ByteOrder.LITTLE_ENDIAN);
        for (FloatBuffer part : values) {
            FloatBuffer left = part.duplicate();
            while (left.hasRemaining()) {
                int count = Math.min(CHUNK / Float.BYTES, left.remaining());
                chunk.asFloatBuffer().put(left.slice(left.position(), count));
                left.position(left.position() + count);
                out.write(chunk.array(), 0, count * Float.BYTES);
                written += (long) count * Float.BYTES;
            }
        }
        return written;
    }

    private static byte[] header(long[] shape) {
        String header = "{'descr': '<f4', 'fortran_order': False, 'shape': " + tuple(shape) + ", }";
        int start = MAGIC.length + 4;
        int padding = ALIGNMENT - (start + header.length() + 1) % ALIGNMENT;
        int headerLength = header.length() + padding % ALIGNMENT + 1;
        ByteBuffer bytes = ByteBuffer.allocate(start + headerLength).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(MAGIC).put((byte) 1).put((byte) 0).putShort((short) headerLength);
        bytes.put(header.getBytes(StandardCharsets.US_ASCII));
        while (bytes.remaining() > 1) {
            bytes.put((byte) ' ');
        }
        bytes.put((byte) '\n');
        return bytes.array();
    }

    /**
     * Reads an array of known shape.
     *
     * @param name for messages
     * @param to receives the values from {@code offset}
     * @throws IllegalArgumentException if the stream holds another type or shape, or more data
     */
    public static void decode(InputStream in, String name, long[] shape, float[] to, int offset)
            throws IOException {
        String header = header(in, name);
        if (!find(TYPE, header, name).equals("<f4")) {
            throw wrong(name, "has type " + find(TYPE, header, name) + " instead of <f4");
        }
        String extents = find(SHAPE, header, name);
        if (!Arrays.equals(extents(extents, name), shape)) {
            throw wrong(name, "has shape (" + extents + ") instead of " + tuple(shape));
        }
        if (shape.length > 1 && find(ORDER, header, name).equals("True")) {
            throw wrong(name, "is in Fortran order");
        }
        long length = 1;
        for (long extent : shape) {
            length *= extent;
        }
        int at = offset;
        for (long left = length * Float.BYTES; left > 0; ) {
            byte[] bytes = exactly(in, (int) Math.min(CHUNK, left), name);
            ByteBuffer.wrap(bytes)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asFloatBuffer()
                    .get(to, at, bytes.length / Float.BYTES);
            at += bytes.length / Float.BYTES;
            left -= bytes.length;
        }
        if (in.read() >= 0) {
            throw wrong(name, "is longer than its shape says");
        }
    }

    static String header(InputStream in, String name) throws IOException {
        byte[] start = exactly(in, MAGIC.length + 2, name);
        int version = start[MAGIC.length];
        if (!Arrays.equals(Arrays.copyOf(start, MAGIC.length), MAGIC)
                || version < 1
                || version > 3) {
            throw wrong(name, "is not in npy format");
        }
        ByteBuffer lengthBytes = ByteBuffer.wrap(exactly(in, version == 1 ? 2 : 4, name));
        lengthBytes.order(ByteOrder.LITTLE_ENDIAN);
        long length =
                version == 1
                        ? Short.toUnsignedInt(lengthBytes.getShort())
                        : Integer.toUnsignedLong(lengthBytes.getInt());
        if (length > LONGEST_HEADER) {
            throw wrong(name, "has a header of " + length + " bytes");
        }
        return new String(exactly(in, (int) length, name), StandardCharsets.UTF_8);
    }

    static byte[] exactly(InputStream in, int length, String name) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw wrong(name, "ends too early");
        }
        return bytes;
    }

    static String find(Pattern pattern, String header, String name) {
        Matcher matcher = pattern.matcher(header);
        if (!matcher.find()) {
            throw wrong(name, "has an unreadable header");
        }
        return matcher.group(1);
    }

    static long[] extents(String text, String name) {
        try {
            return Arrays.stream(text.split(",", -1))
                    .map(String::strip)
                    .filter(extent -> !extent.isEmpty())
                    .mapToLong(Long::parseLong)
                    .toArray();
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("array " + name + " has an unreadable shape", e);
        }
    }

    static String tuple(long[] shape) {
        StringJoiner joiner = new StringJoiner(", ", "(", shape.length == 1 ? ",)" : ")");
        for (long extent : shape) {
            joiner.add(Long.toString(extent));
        }
        return joiner.toString();
    }

    static IllegalArgumentException wrong(String name, String how) {
        return new IllegalArgumentException("array " + name + " " + how);
    }
}
