package dev.levee.operators.rounds.vector;

import dev.levee.gar.block.BlockRows;

/**
 * Converts numbers to and from 32-bit integers in units of 2⁻²⁴. Sums of the integers wrap around,
 * so masks that cancel leave a sum unchanged. The integers travel as the bits of floats. Terms
 * whose absolute values sum to at most {@link #LARGEST} use half of the range, so rounding never
 * makes their sum wrap.
 */
public final class FixedPoint {
    /** Limit of the sum of the terms' absolute values. */
    public static final float LARGEST = 64;

    private static final double UNITS = 1 << 24;

    private FixedPoint() {}

    /** The integer nearest to a number; 0 of NaN. */
    public static int of(float value) {
        return (int) Math.rint(UNITS * value);
    }

    /** The first {@code count} integers, stored in the bits of floats. */
    public static float[] bits(int[] integers, int count) {
        float[] bits = new float[count];
        for (int i = 0; i < count; i++) {
            bits[i] = Float.intBitsToFloat(integers[i]);
        }
        return bits;
    }

    /** The integers that are stored in the bits of floats. */
    public static int[] integers(float[] bits) {
        int[] integers = new int[bits.length];
        for (int i = 0; i < bits.length; i++) {
            integers[i] = Float.floatToRawIntBits(bits[i]);
        }
        return integers;
    }

    /**
     * Sums rows of such integers, coordinate by coordinate.
     *
     * @param rows the rows of bits
     * @param length coordinates of a row
     * @return the sums as numbers
     */
    public static float[] sum(BlockRows rows, int length) {
        int[] sum = new int[length];
        for (float[] row : rows.arrays()) {
            for (int i = 0; i < length; i++) {
                sum[i] += Float.floatToRawIntBits(row[rows.from() + i]);
            }
        }
        float[] numbers = new float[length];
        for (int i = 0; i < length; i++) {
            numbers[i] = (float) (sum[i] / UNITS);
        }
        return numbers;
    }
}
