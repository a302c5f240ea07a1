package dev.levee.gar.internal;

import java.util.Arrays;

/** Sorts indices by numbers, stably and without an object per number. */
public final class Order {
    /** From this many numbers on, a radix sort is faster than comparisons. */
    private static final int MANY = 48;

    /**
     * Mask of a key's upper bits, which come from a number; the lower bits are the number's index.
     */
    private static final long HIGH = -1L << 32;

    private static final int DIGITS = 4;

    /** With more moves per number than this, a merge sort is faster than an insertion sort. */
    private static final int MOVES = 8;

    private Order() {}

    /**
     * Returns the indices of the numbers in ascending order of the numbers. If numbers are equal,
     * the lowest index comes first.
     *
     * @param values none of them NaN
     */
    public static int[] ascending(double[] values) {
        int[] order = values.length < MANY ? null : byDigits(values);
        return order == null ? byMerges(values) : order;
    }

    /**
     * Returns the sum of the least numbers, added in ascending order.
     *
     * @param values none of them NaN; may be reordered
     * @param count how many numbers to add
     */
    public static double sumOfLeast(double[] values, int count) {
        double sum = 0;
        if (values.length < MANY) {
            Arrays.sort(values);
            for (int k = 0; k < count; k++) {
                sum += values[k];
            }
        } else {
            int[] order = ascending(values);
            for (int k = 0; k < count; k++) {
                sum += values[order[k]];
            }
        }
        return sum;
    }

    /**
     * Sorts by the upper 32 bits, eight bits at a time from the lowest on. Then moves each number
     * before larger numbers that have the same upper bits.
     *
     * @return null if too many numbers have the same upper bits
     */
    private static int[] byDigits(double[] values) {
        int n = values.length;
        long[] from = new long[n];
        int[][] places = new int[DIGITS][256];
        for (int i = 0; i < n; i++) {
            long bits = Double.doubleToRawLongBits(values[i] + 0.0); // turns −0 into 0
            long key = bits ^ (bits >> 63 | Long.MIN_VALUE);
            from[i] = key & HIGH | i;
            for (int d = 0; d < DIGITS; d++) {
                places[d][digit(key, d)]++;
            }
        }
        long[] to = new long[n];
        for (int d = 0; d < DIGITS; d++) {
            if (places[d][digit(from[0], d)] == n) {
                continue;
            }
            int place = 0;
            for (int v = 0; v < 256; v++) {
                int count = places[d][v];
                places[d][v] = place;
                place += count;
            }
            for (long key : from) {
                to[places[d][digit(key, d)]++] = key;
            }
            long[] sorted = to;
            to = from;
            from = sorted;
        }
        return byMoves(values, from);
    }

    private static int digit(long key, int d) {
        return (int) (key >>> 32 + 8 * d) & 255;
    }

    /**
     * Applies an insertion sort to almost sorted numbers. The lower bits of the keys are their
     * indices.
     */
    private static int[] byMoves(double[] values, long[] keys) {
        int[] order = new int[keys.length];
        int left = MOVES * keys.length;
        for (int k = 0; k < keys.length; k++) {
            int index = (int) keys[k];
            int at = k;
            for (; at > 0 && values[order[at - 1]] > values[index]; at--) {
                order[at] = order[at - 1];
            }
            order[at] = index;
            left -= k - at;
            if (left < 0) {
                return null;
            }
        }
        return order;
    }

    private static int[] byMerges(double[] values) {
        int n = values.length;
        int[] from = new int[n];
        for (int i = 0; i < n; i++) {
            from[i] = i;
        }
        int[] to = new int[n];
        for (int run = 1; run < n; run *= 2) {
            for (int start = 0; start < n; start += 2 * run) {
                merge(
                        values,
                        from,
                        start,
                        Math.min(n, start + run),
                        Math.min(n, start + 2 * run),
                        to);
            }
            int[] merged = to;
            to = from;
            from = merged;
        }
        return from;
    }

    private static void merge(
            double[] values, int[] from, int start, int middle, int end, int[] to) {
        int a = start;
        int b = middle;
        for (int k = start; k < end; k++) {
            boolean first = a < middle && (b == end || values[from[a]] <= values[from[b]]);
            to[k] = first ? from[a++] : from[b++];
        }
    }
}
