package dev.levee.gar.block;

import java.util.Arrays;
import java.util.Objects;

/**
 * A weighted sum of rows, per coordinate, whose bits do not depend on the order of addition and
 * whose memory does not depend on the number of rows.
 *
 * <p>Each term is split into 32-bit digits on a fixed grid, which are added as integers; the three
 * highest digits in use are kept (Demmel and Nguyen, "Parallel Reproducible Summation", IEEE
 * Transactions on Computers 2015, with integers instead of floating-point bins). The error is below
 * 2⁻⁶⁴ of the largest term, times the number of terms. Terms below 2⁻⁹⁶⁰ count as zero. Up to 2³¹
 * rows can be added.
 */
public final class WeightedSum {
    private static final int DIGIT_BITS = 32;
    private static final double BASE = 1L << DIGIT_BITS;
    private static final long LOW = (1L << DIGIT_BITS) - 1;

    /** Added to exponents, so that digits are numbered from 0. */
    private static final int BIAS = 960;

    /** {@code SCALES[d]} is 2 to the power of −(32·d − BIAS). */
    private static final double[] SCALES =
            new double[(Double.MAX_EXPONENT + BIAS) / DIGIT_BITS + 1];

    static {
        Arrays.setAll(SCALES, d -> Math.scalb(1.0, BIAS - DIGIT_BITS * d));
    }

    private final long[][] digits;
    private final byte[] top;

    /** NaN and infinities, null while there are none. */
    private double[] special;

    /** The empty sum. */
    public WeightedSum(int length) {
        this(new long[3][length], new byte[length], null);
    }

    private WeightedSum(long[][] digits, byte[] top, double[] special) {
        this.digits = digits;
        this.top = top;
        this.special = special;
    }

    /**
     * A sum restored from {@link #digits}, {@link #top} and {@link #special}. It takes over these
     * arrays.
     */
    public static WeightedSum of(long[][] digits, byte[] top, double[] special) {
        return new WeightedSum(digits, top, special);
    }

    /** An independent copy. */
    public WeightedSum copy() {
        long[][] copies = new long[digits.length][];
        Arrays.setAll(copies, d -> digits[d].clone());
        return new WeightedSum(copies, top.clone(), special == null ? null : special.clone());
    }

    /**
     * The three highest digits in use of each coordinate; must not be changed. Sums of the same
     * rows have the same digits. A carry from one digit to the next would change later sums, which
     * drop digits that are too low.
     */
    public long[][] digits() {
        return digits;
    }

    /** The number of each coordinate's highest digit in use; must not be changed. */
    public byte[] top() {
        return top;
    }

    /** Sums of the non-finite values, null if there are none; must not be changed. */
    public double[] special() {
        return special;
    }

    /** Number of coordinates. */
    public int length() {
        return top.length;
    }

    /**
     * Adds a whole array.
     *
     * @throws IllegalArgumentException if the row has another length
     */
    public void add(float[] row, double weight) {
        if (row.length != top.length) {
            throw new IllegalArgumentException(
                    "a row of " + row.length + " coordinates in a sum of " + top.length);
        }
        add(row, 0, weight);
    }

    /**
     * Adds {@code weight · row}, each product rounded to double.
     *
     * @param from start of the row in the array
     * @throws IndexOutOfBoundsException if the row is shorter than this sum
     */
    public void add(float[] row, int from, double weight) {
        Objects.checkFromIndexSize(from, top.length, row.length);
        for (int i = 0; i < top.length; i++) {
            double term = weight * row[from + i];
            int digit = (Math.getExponent(term) + BIAS) >> 5;
            if (digit >= SCALES.length) {
                addSpecial(i, term);
            } else if (digit >= 0 && term != 0) {
                add(i, term, digit);
            }
        }
    }

    private void add(int i, double term, int digit) {
        double scale = SCALES[digit];
        double scaled = term * scale;
        long first = (long) scaled;
        scaled = (scaled - first) * BASE;
        long second = (long) scaled;
        long third = (long) ((scaled - second) * BASE);
        int above = top[i] - digit;
        if (above < 0) {
            raise(i, -above);
            top[i] = (byte) digit;
            above = 0;
        }
        if (above == 0) {
            digits[0][i] += first;
            digits[1][i] += second;
            digits[2][i] += third;
        } else if (above == 1) {
            digits[1][i] += first;
            digits[2][i] += second;
        } else if (above == 2) {
            digits[2][i] += first;
        }
    }

    /**
     * Adds the rows of another sum. The bits do not depend on how rows are grouped into sums: they
     * are the same as if all rows were added one by one.
     *
     * @throws IllegalArgumentException if the other sum has another length
     */
    public void add(WeightedSum other) {
        if (other.top.length != top.length) {
            throw new IllegalArgumentException(
                    "a sum of " + other.top.length + " coordinates in one of " + top.length);
        }
        for (int i = 0; i < top.length; i++) {
            int above = top[i] - other.top[i];
            if (above < 0) {
                raise(i, -above);
                top[i] = other.top[i];
                above = 0;
            }
            for (int digit = above; digit < digits.length; digit++) {
                digits[digit][i] += other.digits[digit - above][i];
            }
            if (other.special != null && other.special[i] != 0) {
                addSpecial(i, other.special[i]);
            }
        }
    }

    private void raise(int i, int by) {
        digits[2][i] = by == 1 ? digits[1][i] : by == 2 ? digits[0][i] : 0;
        digits[1][i] = by == 1 ? digits[0][i] : 0;
        digits[0][i] = 0;
    }

    private void addSpecial(int i, double term) {
        if (special == null) {
            special = new double[top.length];
        }
        special[i] += term;
    }

    /**
     * Converts the digits of a coordinate to one number. Digits are carried first, and the digits
     * of a negative sum are negated, so that rounding depends only on the sum and not on the order
     * of additions.
     */
    private double value(int i) {
        long third = digits[2][i];
        long second = digits[1][i] + (third >> DIGIT_BITS);
        boolean negative = digits[0][i] + (second >> DIGIT_BITS) < 0;
        third = negative ? -third : third;
        second = (negative ? -digits[1][i] : digits[1][i]) + (third >> DIGIT_BITS);
        long first = (negative ? -digits[0][i] : digits[0][i]) + (second >> DIGIT_BITS);
        double sum = ((third & LOW) / BASE + (second & LOW)) / BASE + first;
        return negative ? -sum : sum;
    }

    /**
     * Writes the sum divided by {@code weights}, rounded to float, into {@code out} from its start.
     */
    public void over(double weights, float[] out) {
        for (int i = 0; i < top.length; i++) {
            out[i] = (float) (value(i) / SCALES[top[i]] / weights);
            if (special != null && special[i] != 0) {
                // A computed NaN's bit pattern depends on the order of the terms, so write the
                // usual one.
                out[i] = Double.isNaN(special[i]) ? Float.NaN : (float) (special[i] / weights);
            }
        }
    }
}
