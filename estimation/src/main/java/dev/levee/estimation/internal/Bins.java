package dev.levee.estimation.internal;

import java.util.Arrays;

/**
 * Columns as small whole numbers (bins), between which trees split. A column with at most 256
 * different values has a bin for each value; any other column is cut at 255 quantiles, and on both
 * sides of a value that fills a bin. The search for a split then takes time linear in the number of
 * rows.
 */
final class Bins {
    private static final int MOST = 256;

    private final double[][] edges;
    private final byte[][] codes;

    private Bins(double[][] edges, byte[][] codes) {
        this.edges = edges;
        this.codes = codes;
    }

    static Bins of(double[][] rows) {
        int p = rows[0].length;
        double[][] edges = new double[p][];
        byte[][] codes = new byte[p][rows.length];
        double[] column = new double[rows.length];
        for (int j = 0; j < p; j++) {
            for (int i = 0; i < rows.length; i++) {
                column[i] = rows[i][j];
            }
            Arrays.sort(column);
            edges[j] = edges(column);
            for (int i = 0; i < rows.length; i++) {
                codes[j][i] = (byte) code(edges[j], rows[i][j]);
            }
        }
        return new Bins(edges, codes);
    }

    /**
     * Edges between neighboring values of a sorted column, in ascending order without duplicates.
     */
    private static double[] edges(double[] sorted) {
        double[] all = new double[MOST];
        int count = 0;
        for (int i = 1; i < sorted.length && count < MOST; i++) {
            if (sorted[i] != sorted[i - 1]) {
                all[count++] = middle(sorted[i - 1], sorted[i]);
            }
        }
        if (count < MOST) {
            return Arrays.copyOf(all, count);
        }
        count = 0;
        double last = sorted[0];
        int before = 0;
        for (int k = 1; k < MOST; k++) {
            int i = (int) ((long) k * sorted.length / MOST);
            if (last <= sorted[i]) {
                double edge = quantile(sorted, before, i);
                if (edge > last) {
                    all[count++] = edge;
                    last = edge;
                }
            }
            before = i;
        }
        return Arrays.copyOf(all, count);
    }

    /**
     * The edge at a quantile. A run of equal values is cut off from the values below it at its
     * first quantile, and from the values above it at its second quantile.
     *
     * @param before index of the quantile before
     * @param i index of the quantile
     */
    private static double quantile(double[] sorted, int before, int i) {
        if (sorted[i] != sorted[i - 1]) {
            return middle(sorted[i - 1], sorted[i]);
        }
        if (sorted[i] != sorted[before]) {
            return sorted[i];
        }
        int next = i;
        while (next < sorted.length && sorted[next] == sorted[i]) {
            next++;
        }
        return next == sorted.length ? sorted[i] : middle(sorted[i], sorted[next]);
    }

    /**
     * The middle of two values. It is above the lower value, even if no number lies between the
     * two.
     */
    private static double middle(double low, double high) {
        double middle = low + (high - low) / 2;
        return middle > low ? middle : high;
    }

    /** Number of edges that are at most a value. */
    private static int code(double[] edges, double value) {
        int found = Arrays.binarySearch(edges, value);
        return found >= 0 ? found + 1 : -found - 1;
    }

    int columns() {
        return edges.length;
    }

    int count(int column) {
        return edges[column].length + 1;
    }

    int code(int column, int row) {
        return codes[column][row] & 0xFF;
    }

    /** The bin of each row, as an unsigned byte. */
    byte[] codes(int column) {
        return codes[column];
    }

    /** The upper edge of a bin. Values below the edge are in this bin or in an earlier one. */
    double edge(int column, int bin) {
        return edges[column][bin];
    }
}
