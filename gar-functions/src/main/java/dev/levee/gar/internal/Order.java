package dev.levee.gar.internal;

/** Sorting indices by numbers: a stable merge sort of ints, without an object for each. */
public final class Order {
    private Order() {}

    /**
     * The indices of some numbers in ascending order of these, of equal ones the lowest first.
     *
     * @param values none of them NaN
     */
    public static int[] ascending(double[] values) {
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
