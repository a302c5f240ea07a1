package dev.levee.gar.rules;

/** Least numbers of rows, which are computed in long, as ints. */
final class Limit {
    private Limit() {}

    /** The number, or the largest int if it is larger: no round has that many rows. */
    static int rows(long number) {
        return (int) Math.min(number, Integer.MAX_VALUE);
    }
}
