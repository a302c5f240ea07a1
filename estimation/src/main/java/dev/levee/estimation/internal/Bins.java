package dev.levee.estimation.internal;

import java.util.Arrays;

/**
 * Columns as small whole numbers, for trees to split between: a column of at most 256 different
 * values keeps all of them, any other is cut at 255 quantiles. Searching a split then takes time
 * linear in the rows.
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

    /** Edges between neighbors of a sorted column, ascending and different. */
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
        for (int k = 1; k < MOST; k++) {
            int i = (int) ((long) k * sorted.length / MOST);
            double edge = sorted[i] == sorted[i - 1] ? sorted[i] : middle(sorted[i - 1], sorted[i]);
            if (edge > sorted[0] && (count == 0 || edge > all[count - 1])) {
                all[count++] = edge;
            }
        }
        return Arrays.copyOf(all, count);
    }

    /** Above the lower value, even if no number lies between the two. */
    private static double middle(double low, double high) {
        double middle = low + (high - low) / 2;
        return middle > low ? middle : high;
    }

    /** Number of edges that a value reaches. */
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

    /** The bin of each row, in a byte without sign. */
    byte[] codes(int column) {
        return codes[column];
    }

    /** Values below it are in bin {@code bin} or before. */
    double edge(int column, int bin) {
        return edges[column][bin];
    }
}
