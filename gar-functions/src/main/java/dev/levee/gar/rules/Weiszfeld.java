package dev.levee.gar.rules;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Computes the geometric median of rows, as weights of the rows. */
final class Weiszfeld {
    /**
     * Number of steps after which steps are lengthened. Rows that are not crafted take tens to
     * hundreds of steps.
     */
    private static final int PLAIN = 1000;

    /** Maximum number of steps, after which the iteration stops where it is. */
    private static final int MOST = 1200;

    /** The largest factor by which a step may be lengthened. */
    private static final double LONGEST = 1 << 20;

    /** The largest rounding error of a sum of unit vectors. */
    private static final double ROUNDING = 1e-6;

    /**
     * If a row is nearer to the current point than this, relative to the median distance, the two
     * cannot be distinguished.
     */
    private static final double SAME = 1e-7;

    private final AnchoredRows rows;
    private final double[] counts;
    private final Distances distances;
    private final int n;

    /** Whether the distances from a row were needed but are not known. */
    private boolean unknown;

    /** The result of {@link #hold} for each row, NaN if not yet computed. */
    private final double[] holds;

    /**
     * Rows farther away than this, relative to the median distance, are left out of the starting
     * mean: distances from a mean with them could not separate the near rows.
     */
    private static final double FAR = 1000;

    /**
     * A row's sum of distances counts as minimal up to this relative excess. Sums of float products
     * are off by a tenth of it.
     */
    private static final double LEAST = 1e-5;

    /** Distances from a row to all rows. */
    interface Distances {
        /** Infinite for rows that are not finite; null if they are not known. */
        double[] from(int row);
    }

    /**
     * Creates a solver.
     *
     * @param counts the weight of each row
     * @param distances distances between rows
     */
    Weiszfeld(AnchoredRows rows, double[] counts, Distances distances) {
        this.rows = rows;
        this.counts = counts;
        this.distances = distances;
        n = rows.rows();
        holds = new double[n];
        Arrays.fill(holds, Double.NaN);
    }

    /**
     * Returns the weights of the solution, which sum to one. A row is itself the solution if the
     * weight of its copies exceeds the pull of the other rows (Vardi and Zhang); then only this row
     * has a weight. If the two are almost equal, rounding must not decide, so the iteration runs:
     * for an even number of rows on a line, it finds one of the solutions between the two middle
     * rows.
     *
     * @param nearest the rows that may be the solution, from {@link #nearest}
     * @return null if distances are needed that are not known
     */
    double[] solve(int[] nearest) {
        for (int i : nearest) {
            if (hold(i) * (1 - ROUNDING) > 1) {
                double[] weights = new double[n];
                weights[i] = 1;
                return weights;
            }
        }
        return iterate();
    }

    /**
     * The rows with the smallest sum of distances to the others. Only these rows can be the
     * solution, and the test of a row costs n² products.
     *
     * @param counts the weight of each row
     * @param distances distances between rows
     */
    static int[] nearest(double[] counts, Distances distances) {
        int n = counts.length;
        double[] sums = new double[n];
        for (int i = 0; i < n; i++) {
            double[] others = distances.from(i);
            boolean finite = others[i] < Double.POSITIVE_INFINITY;
            sums[i] = finite ? 0 : Double.POSITIVE_INFINITY;
            for (int j = 0; j < n && finite; j++) {
                sums[i] += others[j] < Double.POSITIVE_INFINITY ? counts[j] * others[j] : 0;
            }
        }
        double most = Arrays.stream(sums).min().orElseThrow() * (1 + LEAST);
        return IntStream.range(0, n).filter(i -> sums[i] <= most).toArray();
    }

    /**
     * The weight of a row's copies divided by the pull of the other rows, which is the length of
     * the weighted sum of unit vectors toward them; 0 for a row that is not finite.
     */
    private double hold(int i) {
        if (Double.isNaN(holds[i])) {
            holds[i] = rows.finite(i) ? holding(i) : 0;
        }
        return holds[i];
    }

    private double holding(int i) {
        double[] others = distances.from(i);
        if (others == null) {
            unknown = true;
            return 0;
        }
        double[] towards = new double[n];
        double copies = 0;
        for (int j = 0; j < n; j++) {
            double distance = rows.finite(j) ? others[j] : Double.POSITIVE_INFINITY;
            if (distance == 0) {
                copies += counts[j];
            } else if (distance < Double.POSITIVE_INFINITY) {
                towards[j] = counts[j] / distance;
                towards[i] -= counts[j] / distance;
            }
        }
        return copies / rows.length(towards);
    }

    /** Weights of the mean of the rows that are not far from the anchor. */
    private double[] start() {
        double[] sizes = new double[n];
        Arrays.setAll(
                sizes,
                i -> rows.finite(i) ? Math.sqrt(rows.product(i, i)) : Double.POSITIVE_INFINITY);
        double far = Math.min(FAR * Ranking.median(sizes), Double.MAX_VALUE);
        double[] weights = new double[n];
        Arrays.setAll(weights, i -> sizes[i] <= far ? counts[i] : 0);
        double near = Arrays.stream(weights).sum();
        return Arrays.stream(weights).map(weight -> weight / near).toArray();
    }

    private double[] iterate() {
        double[] weights = start();
        double[] move = new double[n];
        for (int t = 0; t < MOST; t++) {
            double[] distances = rows.distances(weights);
            // Use the median, because rows that are very far away must not end the iteration early.
            double typical = Ranking.median(distances);
            if (typical == 0) {
                return weights;
            }
            double[] next = step(weights, distances, SAME * typical);
            if (unknown) {
                return null;
            }
            for (int i = 0; i < n; i++) {
                move[i] = next[i] - weights[i];
            }
            weights = t < PLAIN ? next : farther(weights, next, move);
            if (rows.length(move) <= GeometricMedian.TOLERANCE * typical) {
                return weights;
            }
        }
        return weights;
    }

    /**
     * Extends a step in its direction, doubling its length while the sum of distances falls and no
     * weight is negative. If a row is only just the solution, or only just not, plain steps toward
     * it get ever shorter, and the iteration would take forever.
     */
    private double[] farther(double[] weights, double[] next, double[] move) {
        double most = LONGEST;
        for (int i = 0; i < n; i++) {
            most = move[i] < 0 ? Math.min(most, -weights[i] / move[i]) : most;
        }
        double[] best = next;
        double least = sum(rows.distances(next));
        for (double length = 2; length <= most; length *= 2) {
            double[] far = new double[n];
            for (int i = 0; i < n; i++) {
                far[i] = weights[i] + length * move[i];
            }
            double sum = sum(rows.distances(far));
            if (!(sum < least)) {
                break;
            }
            best = far;
            least = sum;
        }
        return best;
    }

    private double sum(double[] distances) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += rows.finite(i) ? counts[i] * distances[i] : 0;
        }
        return sum;
    }

    /**
     * Weiszfeld's step. If the current point is a row, that row's weight shortens the step (Vardi
     * and Zhang).
     */
    private double[] step(double[] weights, double[] distances, double same) {
        double[] next = new double[n];
        double sum = 0;
        double stay = 0;
        for (int i = 0; i < n; i++) {
            if (distances[i] <= same) {
                stay = Math.min(1, Math.max(stay, hold(i)));
            } else if (rows.finite(i)) {
                next[i] = counts[i] / distances[i];
                sum += next[i];
            }
        }
        for (int i = 0; i < n; i++) {
            next[i] = (1 - stay) * next[i] / sum + stay * weights[i];
        }
        return next;
    }
}
