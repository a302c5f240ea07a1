package dev.levee.gar.rules;

/** Solves for the geometric median of rows as one row of weights. */
final class Weiszfeld {
    private static final int MOST = 100_000;

    private final Anchored rows;
    private final int n;

    Weiszfeld(Anchored rows) {
        this.rows = rows;
        n = rows.rows();
    }

    /** The weights, which sum to one; those of a single row if a row is the solution. */
    double[] solve() {
        for (int i = 0; i < n; i++) {
            if (rows.finite(i) && solves(i)) {
                double[] weights = new double[n];
                weights[i] = 1;
                return weights;
            }
        }
        return iterate();
    }

    /**
     * Vardi and Zhang: the unit vectors towards the other rows add up to no more than its copies.
     */
    private boolean solves(int i) {
        double[] towards = new double[n];
        int copies = 0;
        for (int j = 0; j < n; j++) {
            double distance = rows.finite(j) ? rows.distance(i, j) : Double.POSITIVE_INFINITY;
            if (distance == 0) {
                copies++;
            } else if (distance < Double.POSITIVE_INFINITY) {
                towards[j] = 1 / distance;
                towards[i] -= 1 / distance;
            }
        }
        return rows.length(towards) <= copies;
    }

    private double[] iterate() {
        double[] weights = rows.mean();
        double[] move = new double[n];
        for (int t = 0; t < MOST; t++) {
            double[] distances = rows.distances(weights);
            // The median, since rows that are very far away must not end the iteration early.
            double typical = Ranking.median(distances);
            if (typical == 0) {
                return weights;
            }
            double[] next = new double[n];
            double sum = 0;
            for (int i = 0; i < n; i++) {
                next[i] = rows.finite(i) && distances[i] > 0 ? 1 / distances[i] : 0;
                sum += next[i];
            }
            for (int i = 0; i < n; i++) {
                next[i] /= sum;
                move[i] = next[i] - weights[i];
            }
            weights = next;
            if (rows.length(move) <= GeometricMedian.TOLERANCE * typical) {
                return weights;
            }
        }
        return weights;
    }
}
