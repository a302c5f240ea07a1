package dev.levee.gar.attacks;

/** Bulyan's selection, as an attacker who knows all distances foresees it. */
final class IteratedKrum {
    private final double[][] squares;
    private final int[][] nearest;
    private final boolean[] gone;

    private IteratedKrum(double[][] squares) {
        this.squares = squares;
        this.nearest = new int[squares.length][];
        this.gone = new boolean[squares.length];
        for (int i = 0; i < squares.length; i++) {
            nearest[i] = Ascending.order(squares[i]);
        }
    }

    /**
     * The rows selected, in order of selection: θ = n − 2f times (once, where that leaves none) the
     * row, of the m left, with the least sum of squared distances to its max(1, m − f − 2) nearest
     * others; the lowest of equals.
     *
     * @param squares squared distances between all n rows
     */
    static int[] select(double[][] squares, int f) {
        IteratedKrum krum = new IteratedKrum(squares);
        int n = squares.length;
        int[] selection = new int[Math.max(1, n - 2 * f)];
        for (int k = 0; k < selection.length; k++) {
            selection[k] = krum.next(Math.max(1, n - k - f - 2));
        }
        return selection;
    }

    private int next(int neighbours) {
        int best = -1;
        double least = Double.NaN;
        for (int i = 0; i < gone.length; i++) {
            if (!gone[i]) {
                double score = score(i, neighbours);
                if (best < 0 || score < least) {
                    best = i;
                    least = score;
                }
            }
        }
        gone[best] = true;
        return best;
    }

    private double score(int row, int neighbours) {
        double score = 0;
        int counted = 0;
        for (int k = 0; k < nearest[row].length && counted < neighbours; k++) {
            int other = nearest[row][k];
            if (other != row && !gone[other]) {
                score += squares[row][other];
                counted++;
            }
        }
        return score;
    }
}
