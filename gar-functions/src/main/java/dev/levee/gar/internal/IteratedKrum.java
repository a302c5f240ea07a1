package dev.levee.gar.internal;

import java.util.Arrays;

/**
 * Bulyan's selection (El Mhamdi, Guerraoui, Rouault, ICML 2018, section 4): repeatedly takes the
 * row with the best Krum score among those left. Each row's neighbors are sorted once. A selection
 * removes one distance from each score, so scores are updated by subtraction. A score is summed
 * again, in order, only if rounding may decide whether it is the smallest. This takes O(n² log n)
 * steps if few scores are that close.
 */
public final class IteratedKrum {
    private static final double EPSILON = 0x1p-52;

    private final double[][] squares;
    private final int[][] nearest;
    private final boolean[] gone;
    private final double[] scores;
    private final int[] selection;

    /** Number of neighbors that count for each remaining row. */
    private int neighbours;

    /**
     * For each row, the end (exclusive) of the neighbors that count, an index in {@link #nearest}.
     */
    private final int[] ends;

    /** Scores updated by subtraction, and their maximum error. */
    private final double[] kept;

    private final double[] errors;

    private IteratedKrum(double[][] distances, int f) {
        int n = distances.length;
        squares = new double[n][n];
        nearest = new int[n][];
        gone = new boolean[n];
        scores = new double[n];
        ends = new int[n];
        kept = new double[n];
        errors = new double[n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double square = distances[i][j];
                squares[i][j] = Double.isNaN(square) ? Double.POSITIVE_INFINITY : square;
            }
            nearest[i] = Order.ascending(squares[i]);
        }
        selection = new int[Math.max(1, n - 2 * f)];
        Arrays.fill(kept, Double.NaN);
        for (int k = 0; k < selection.length; k++) {
            neighbours = Math.max(1, n - k - f - 2);
            selection[k] = next(k == selection.length - 1);
        }
    }

    /**
     * Selects θ = n − 2f rows, at least one. Each step selects, among the m rows left, the row with
     * the smallest sum of squared distances to its max(1, m − f − 2) nearest others (ties: lowest).
     *
     * @param squares squared distances between all n rows; NaN counts as infinite
     */
    public static IteratedKrum of(double[][] squares, int f) {
        return new IteratedKrum(squares, f);
    }

    /** The rows selected, in order of selection. */
    public int[] selection() {
        return selection.clone();
    }

    /** Each row's score at its selection, or its last score if it was not selected. */
    public double[] scores() {
        return scores.clone();
    }

    private int next(boolean last) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < gone.length; i++) {
            if (!gone[i]) {
                if (last || !(kept[i] < Double.POSITIVE_INFINITY)) {
                    sum(i);
                }
                least = Math.min(least, kept[i] + errors[i]);
            }
        }
        int best = -1;
        for (int i = 0; i < gone.length; i++) {
            if (!gone[i] && kept[i] - errors[i] <= least) {
                if (!last) {
                    sum(i);
                }
                if (best < 0 || scores[i] < scores[best]) {
                    best = i;
                }
            }
        }
        take(best);
        return best;
    }

    /** Sums a score in order. */
    private void sum(int row) {
        double score = 0;
        int counted = 0;
        int k = 0;
        for (; k < gone.length && counted < neighbours; k++) {
            int other = nearest[row][k];
            if (other != row && !gone[other]) {
                score += squares[row][other];
                counted++;
            }
        }
        ends[row] = k;
        scores[row] = score;
        kept[row] = score;
        errors[row] = score < Double.POSITIVE_INFINITY ? 2 * gone.length * EPSILON * score : 0;
    }

    /**
     * Removes the selected row. Each other row's score loses the distance to that row, or, if this
     * distance does not count, the largest distance that counts.
     */
    private void take(int taken) {
        gone[taken] = true;
        for (int i = 0; i < gone.length; i++) {
            if (!gone[i] && kept[i] < Double.POSITIVE_INFINITY) {
                if (neighbours == 1) {
                    kept[i] = Double.NaN; // one neighbor always counts, so sum again
                } else {
                    double lost = squares[i][drop(i, taken)];
                    kept[i] -= lost;
                    errors[i] += EPSILON * (Math.abs(kept[i]) + lost);
                }
            }
        }
    }

    /** Whether {@code other} is among the nearest neighbors of {@code row} that count. */
    private boolean counts(int row, int other) {
        int end = nearest[row][ends[row] - 1];
        double square = squares[row][other];
        double most = squares[row][end];
        return square < most || (square == most && other <= end);
    }

    /**
     * The neighbor that no longer counts for a row: the selected row if it counted, otherwise the
     * farthest neighbor.
     */
    private int drop(int row, int taken) {
        int dropped = taken;
        if (!counts(row, taken)) {
            dropped = nearest[row][--ends[row]];
        }
        while (ends[row] > 0 && skipped(row, nearest[row][ends[row] - 1])) {
            ends[row]--;
        }
        return dropped;
    }

    private boolean skipped(int row, int other) {
        return other == row || gone[other];
    }
}
