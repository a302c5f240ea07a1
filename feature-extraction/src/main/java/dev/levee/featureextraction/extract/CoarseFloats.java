package dev.levee.featureextraction.extract;

import dev.levee.connectors.data.NumpyValues;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Encodes floats with fewer bits. Each image is encoded by itself, so that its result does not
 * depend on other images. The format of an image is: a byte that says whether values are coarse or
 * unchanged; if coarse, the step (int8 only), a bit per value that says whether it is nonzero, and
 * the nonzero values; if unchanged, all values.
 */
final class CoarseFloats {
    private static final byte PLAIN = 0;
    private static final byte COARSE = 1;

    private static final int LEVELS = 127;

    private CoarseFloats() {}

    /** Maximum bytes of {@code images} encoded images of {@code length} values each. */
    static long mostBytes(int images, long length) {
        return images * (1 + Float.BYTES + length / Byte.SIZE + 1 + Float.BYTES * length);
    }

    static byte[] encode(float[] values, int length, Encoding encoding) {
        int images = values.length / length;
        ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(mostBytes(images, length)));
        for (int image = 0; image < images; image++) {
            encode(values, image * length, length, encoding, out);
        }
        byte[] bytes = new byte[out.position()];
        out.flip().get(bytes);
        return bytes;
    }

    private static void encode(
            float[] values, int from, int length, Encoding encoding, ByteBuffer out) {
        float largest = 0;
        for (int i = from; i < from + length; i++) {
            // Once NaN, the maximum stays NaN.
            largest = Math.max(largest, Math.abs(values[i]));
        }
        float step = largest / LEVELS;
        boolean half = encoding == Encoding.FLOAT16;
        if (!(half ? largest < HalfFloats.TOO_LARGE : largest <= Float.MAX_VALUE)) {
            out.put(PLAIN);
            for (int i = from; i < from + length; i++) {
                out.putFloat(values[i]);
            }
            return;
        }
        out.put(COARSE);
        if (!half) {
            out.putFloat(step);
        }
        int bitmap = out.position();
        int next = bitmap + (length + Byte.SIZE - 1) / Byte.SIZE;
        for (int i = bitmap; i < next; i++) {
            out.put(i, (byte) 0);
        }
        out.position(next);
        for (int i = 0; i < length; i++) {
            float value = values[from + i];
            int bits = half ? HalfFloats.bits(value) : level(value, step);
            if (bits == 0) {
                continue;
            }
            int place = bitmap + i / Byte.SIZE;
            out.put(place, (byte) (out.get(place) | 1 << i % Byte.SIZE));
            if (half) {
                out.putShort((short) bits);
            } else {
                out.put((byte) bits);
            }
        }
    }

    private static int level(float value, float step) {
        return step == 0 ? 0 : (int) Math.rint((double) value / step);
    }

    static float[] decode(byte[] bytes, int images, int length, Encoding encoding) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        float[] values = new float[Math.multiplyExact(images, length)];
        try {
            for (int image = 0; image < images; image++) {
                decode(in, values, image * length, length, encoding);
            }
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException(
                    bytes.length + " bytes are too few for " + images + " images", e);
        }
        if (in.hasRemaining()) {
            throw new IllegalArgumentException(
                    bytes.length + " bytes are too many for " + images + " images");
        }
        return values;
    }

    private static void decode(
            ByteBuffer in, float[] values, int from, int length, Encoding encoding) {
        byte kind = in.get();
        if (kind == PLAIN) {
            for (int i = from; i < from + length; i++) {
                values[i] = in.getFloat();
            }
            return;
        }
        if (kind != COARSE) {
            throw new IllegalArgumentException("features of an unknown kind " + kind);
        }
        boolean half = encoding == Encoding.FLOAT16;
        float step = half ? 0 : in.getFloat();
        byte[] bitmap = new byte[(length + Byte.SIZE - 1) / Byte.SIZE];
        in.get(bitmap);
        for (int i = 0; i < length; i++) {
            if ((bitmap[i / Byte.SIZE] >> i % Byte.SIZE & 1) != 0) {
                values[from + i] = half ? NumpyValues.half(in.getShort()) : in.get() * step;
            }
        }
    }
}
