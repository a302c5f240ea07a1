package dev.levee.connectors.data.internal.table;

/** Numbers as people write them. */
public final class Numbers {
    /** Up to here, doubles represent all whole numbers. */
    private static final double WHOLE = 1L << 53;

    private Numbers() {}

    public static boolean isWhole(double number) {
        return number == Math.rint(number) && Math.abs(number) <= WHOLE;
    }

    /** A number without a fraction that is zero: 3, not 3.0. */
    public static String shortest(double number) {
        return isWhole(number) ? Long.toString((long) number) : Double.toString(number);
    }
}
