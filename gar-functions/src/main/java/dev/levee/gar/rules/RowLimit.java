package dev.levee.gar.rules;

/** Converts minimum numbers of rows from long to int. */
final class RowLimit {
    private RowLimit() {}

    /** The number, or the largest int if it is larger: no round has that many rows. */
    static int rows(long number) {
        return (int) Math.min(number, Integer.MAX_VALUE);
    }
}
