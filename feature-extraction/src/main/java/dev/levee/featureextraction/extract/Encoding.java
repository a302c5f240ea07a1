package dev.levee.featureextraction.extract;

import java.util.Locale;

/** How features cross the link. */
public enum Encoding {
    /** Without loss, as {@link SparseFloats}. */
    EXACT(Float.BYTES),

    /**
     * IEEE half precision, to the nearest, ties to even. A value v comes out within max(2⁻¹¹·|v|,
     * 2⁻²⁵). An image with a value of 65,520 or more, or none that is finite, crosses as it is.
     */
    FLOAT16(Short.BYTES),

    /**
     * Eight bits, in steps of a 127th of the image's largest absolute value m. A value comes out
     * within m/254, except for the rounding of float32. An image with a value that is not finite
     * crosses as it is.
     */
    INT8(Byte.BYTES);

    private final int bytes;

    Encoding(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes of a value where none is left out for being zero. */
    public int bytes() {
        return bytes;
    }

    /** The name on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Writes features.
     *
     * @param values the values of some images, one after the other
     * @param length values of an image
     */
    public byte[] encode(float[] values, int length) {
        return this == EXACT
                ? SparseFloats.encode(values)
                : CoarseFloats.encode(values, length, this);
    }

    /**
     * Reads features.
     *
     * @param images how many there are
     * @param length values of an image
     * @throws IllegalArgumentException if the bytes are not those of so many
     */
    public float[] decode(byte[] encoded, int images, int length) {
        return this == EXACT
                ? SparseFloats.decode(encoded, Math.multiplyExact(images, length))
                : CoarseFloats.decode(encoded, images, length, this);
    }
}
