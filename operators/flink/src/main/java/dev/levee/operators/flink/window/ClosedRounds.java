package dev.levee.operators.flink.window;

import java.util.Arrays;

/**
 * Remembers the closed rounds of a key in bounded memory: the newest {@value #KEPT} closed ones,
 * and a number below which every round counts as closed.
 */
final class ClosedRounds {
    /** Number of closed rounds that are remembered individually. */
    static final int KEPT = 128;

    private ClosedRounds() {}

    /**
     * True if a round has closed.
     *
     * @param closed the remembered rounds, sorted; null if none has closed
     */
    static boolean contains(long[] closed, long round) {
        if (closed == null) {
            return false;
        }
        return closed.length == KEPT && round < closed[0]
                || Arrays.binarySearch(closed, round) >= 0;
    }

    /** The remembered rounds with one more. */
    static long[] with(long[] closed, long round) {
        long[] before = closed == null ? new long[0] : closed;
        long[] all = Arrays.copyOf(before, before.length + 1);
        all[before.length] = round;
        Arrays.sort(all);
        return all.length <= KEPT ? all : Arrays.copyOfRange(all, 1, all.length);
    }
}
