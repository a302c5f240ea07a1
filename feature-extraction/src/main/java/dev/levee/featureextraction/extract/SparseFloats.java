package dev.levee.featureextraction.extract;

import java.nio.ByteBuffer;

/**
 * A lossless encoding of floats that are mostly zero, such as outputs of a ReLU: a bit per value
 * that says whether it is anything but +0, then these values. If this would be longer than all
 * values, the values are written unchanged. The first byte says which form is used.
 */
public final class SparseFloats {
    private static final byte PLAIN = 0;
    private static final byte SPARSE = 1;

    private SparseFloats() {}

    /** Maximum bytes of {@code count} encoded values. */
    static long mostBytes(long count) {
        return 1 + Float.BYTES * count;
    }

    /** Writes values. */
    public static byte[] encode(float[] values) {
        int others = 0;
        for (float value : values) {
            others += Float.floatToRawIntBits(value) == 0 ? 0 : 1;
        }
        int bitmap = (values.length + Byte.SIZE - 1) / Byte.SIZE;
        long sparse = bitmap + (long) Float.BYTES * others;
        boolean plain = 1 + sparse >= mostBytes(values.length);
        long length = plain ? mostBytes(values.length) : 1 + sparse;
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(length));
        bytes.put(plain ? PLAIN : SPARSE);
        if (plain) {
            bytes.asFloatBuffer().put(values);
            return bytes.array();
        }
        int at = 1 + bitmap;
        for (int i = 0; i < values.length; i++) {
            if (Float.floatToRawIntBits(values[i]) != 0) {
                int place = 1 + i / Byte.SIZE;
                bytes.put(place, (byte) (bytes.get(place) | 1 << i % Byte.SIZE));
                bytes.putFloat(at, values[i]);
                at += Float.BYTES;
            }
        }
        return bytes.array();
    }

    /**
     * Reads values.
     *
     * @param count number of values
     * @throws IllegalArgumentException if the bytes do not match that number of values
     */
    public static float[] decode(byte[] bytes, int count) {
        int bitmap = (count + Byte.SIZE - 1) / Byte.SIZE;
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        float[] values = new float[count];
        byte kind = bytes.length == 0 ? -1 : buffer.get();
        if (kind == PLAIN && buffer.remaining() == (long) Float.BYTES * count) {
            buffer.asFloatBuffer().get(values);
            return values;
        }
        if (kind != SPARSE || buffer.remaining() < bitmap) {
            throw new IllegalArgumentException(
                    bytes.length + " bytes are not those of " + count + " values");
        }
        buffer.position(1 + bitmap);
        for (int i = 0; i < count; i++) {
            if ((bytes[1 + i / Byte.SIZE] >> i % Byte.SIZE & 1) != 0) {
                if (buffer.remaining() < Float.BYTES) {
                    throw new IllegalArgumentException(
                            bytes.length + " bytes are too few for their bitmap");
                }
                values[i] = buffer.getFloat();
            }
        }
        if (buffer.hasRemaining()) {
            throw new IllegalArgumentException(
                    bytes.length + " bytes are too many for their bitmap");
        }
        return values;
    }
}
