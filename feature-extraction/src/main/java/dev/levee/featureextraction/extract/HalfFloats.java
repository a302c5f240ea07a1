package dev.levee.featureextraction.extract;

/**
 * Converts to IEEE 754 half precision; {@link dev.levee.connectors.data.NumpyValues#half} converts
 * from it. Java has this conversion only from version 20.
 */
final class HalfFloats {
    /** The smallest value whose nearest half is infinite. */
    static final float TOO_LARGE = 65_520;

    private static final int SIGN = 0x8000;
    private static final int FRACTION_BITS = 10;

    /** Number of bits by which a float's fraction is longer than a half's. */
    private static final int MORE_BITS = 23 - FRACTION_BITS;

    /** Difference of the exponents' biases. */
    private static final int BIAS = 127 - 15;

    private static final float SMALLEST_NORMAL = 0x1p-14f;
    private static final double SUBNORMAL = 0x1p-24;

    private HalfFloats() {}

    /**
     * The nearest half, ties to even.
     *
     * @param value a value with an absolute value below {@link #TOO_LARGE}
     */
    static int bits(float value) {
        int bits = Float.floatToRawIntBits(value);
        int sign = bits >>> 16 & SIGN;
        float size = Math.abs(value);
        if (size < SMALLEST_NORMAL) {
            return sign | (int) Math.rint(size / SUBNORMAL);
        }
        int absolute = bits & Integer.MAX_VALUE;
        int even = absolute >>> MORE_BITS & 1;
        int rounded = absolute + (1 << MORE_BITS - 1) - 1 + even;
        return sign | (rounded >>> MORE_BITS) - (BIAS << FRACTION_BITS);
    }
}
