package dev.levee.featureextraction.extract;

import java.util.Locale;

/** The encoding of features on the link. */
public enum Encoding {
    /** Lossless, as {@link SparseFloats}. */
    EXACT(Float.BYTES),

    /**
     * IEEE half precision, rounded to the nearest, ties to even. The error of a value v is at most
     * max(2⁻¹¹·|v|, 2⁻²⁵). An image is sent without loss if an absolute value is 65,520 or more,
     * infinite or NaN.
     */
    FLOAT16(Short.BYTES),

    /**
     * Eight bits, in steps of m/127, where m is the image's largest absolute value. The error of a
     * value is at most m/254, plus rounding to float32. An image with an infinite value or NaN is
     * sent without loss.
     */
    INT8(Byte.BYTES);

    private final int bytes;

    Encoding(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes per value if no value is zero; zeros are left out. */
    public int bytes() {
        return bytes;
    }

    /** Maximum bytes of {@code images} encoded images of {@code length} values each. */
    long mostBytes(int images, long length) {
        return this == EXACT
                ? SparseFloats.mostBytes(images * length)
                : CoarseFloats.mostBytes(images, length);
    }

    /** The name on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Writes features.
     *
     * @param values the values of several images, one after the other
     * @param length values per image
     */
    public byte[] encode(float[] values, int length) {
        return this == EXACT
                ? SparseFloats.encode(values)
                : CoarseFloats.encode(values, length, this);
    }

    /**
     * Reads features.
     *
     * @param images number of images
     * @param length values per image
     * @throws IllegalArgumentException if the bytes do not match that number of values
     */
    public float[] decode(byte[] encoded, int images, int length) {
        return this == EXACT
                ? SparseFloats.decode(encoded, Math.multiplyExact(images, length))
                : CoarseFloats.decode(encoded, images, length, this);
    }
}
