package dev.levee.gar.internal;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Bulyan's selection (El Mhamdi, Guerraoui, Rouault, ICML 2018, section 4): rows are taken one by
 * one, each the best of those left by Krum's score. Each row's others are sorted once, so all of it
 * takes O(n³) steps.
 */
public final class IteratedKrum {
    private final double[][] squares;
    private final int[][] nearest;
    private final boolean[] gone;
    private final double[] scores;
    private final int[] selection;

    private IteratedKrum(double[][] distances, int f) {
        int n = distances.length;
        squares = new double[n][n];
        nearest = new int[n][];
        gone = new boolean[n];
        scores = new double[n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double square = distances[i][j];
                squares[i][j] = Double.isNaN(square) ? Double.POSITIVE_INFINITY : square;
            }
            double[] row = squares[i];
            nearest[i] =
                    IntStream.range(0, n)
                            .boxed()
                            .sorted(Comparator.comparingDouble(j -> row[j]))
                            .mapToInt(Integer::intValue)
                            .toArray();
        }
        selection = new int[Math.max(1, n - 2 * f)];
        for (int k = 0; k < selection.length; k++) {
            selection[k] = next(Math.max(1, n - k - f - 2));
        }
    }

    /**
     * Selects θ = n − 2f rows (one, where that leaves none): each the row, of the m left, with the
     * least sum of squared distances to its max(1, m − f − 2) nearest others; the lowest of equals.
     *
     * @param squares squared distances between all n rows; one that is not a number is infinite
     */
    public static IteratedKrum of(double[][] squares, int f) {
        return new IteratedKrum(squares, f);
    }

    /** The rows selected, in order of selection. */
    public int[] selection() {
        return selection.clone();
    }

    /** Each row's score when it was selected; of a row that never was, its last. */
    public double[] scores() {
        return scores.clone();
    }

    private int next(int neighbours) {
        int best = -1;
        for (int i = 0; i < gone.length; i++) {
            if (!gone[i]) {
                scores[i] = score(i, neighbours);
                if (best < 0 || scores[i] < scores[best]) {
                    best = i;
                }
            }
        }
        gone[best] = true;
        return best;
    }

    private double score(int row, int neighbours) {
        double score = 0;
        int counted = 0;
        for (int k = 0; k < gone.length && counted < neighbours; k++) {
            int other = nearest[row][k];
            if (other != row && !gone[other]) {
                score += squares[row][other];
                counted++;
            }
        }
        return score;
    }
}
