package dev.levee.connectors.data.internal.table;

import java.math.BigInteger;
import java.util.regex.Pattern;

/** Formats numbers as people write them, and recognizes whole ones. */
public final class Numbers {
    /** Doubles represent all whole numbers up to this one. */
    private static final double WHOLE = 1L << 53;

    private static final Pattern DIGITS = Pattern.compile("[+-]?[0-9]+");

    private Numbers() {}

    public static boolean isWhole(double number) {
        return number == Math.rint(number) && Math.abs(number) <= WHOLE;
    }

    /**
     * The name that a decimal number is: 3 and 3.0 are the same. Numbers that a double does not
     * hold keep their digits, so that large ids stay apart.
     */
    static String name(String decimal) {
        double number = Double.parseDouble(decimal);
        if (Math.abs(number) >= WHOLE && DIGITS.matcher(decimal).matches()) {
            return new BigInteger(decimal).toString();
        }
        return Double.isInfinite(number) ? decimal : shortest(number);
    }

    /** Formats a number without a fraction of zero: 3, not 3.0. */
    public static String shortest(double number) {
        return isWhole(number) ? Long.toString((long) number) : Double.toString(number);
    }
}
