package dev.levee.connectors.data.internal.table;

/** Formats numbers as people write them, and recognizes whole ones. */
public final class Numbers {
    /** Doubles represent all whole numbers up to this one. */
    private static final double WHOLE = 1L << 53;

    private Numbers() {}

    public static boolean isWhole(double number) {
        return number == Math.rint(number) && Math.abs(number) <= WHOLE;
    }

    /** Formats a number without a fraction of zero: 3, not 3.0. */
    public static String shortest(double number) {
        return isWhole(number) ? Long.toString((long) number) : Double.toString(number);
    }
}
