package dev.levee.gar.rules;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;
import dev.levee.gar.Step;
import dev.levee.gar.internal.Order;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Represents rows by their differences from an anchor row near the others. Numbers computed from
 * inner products of these differences keep their precision even if another row is very far away;
 * numbers derived from distances between all rows do not.
 */
final class AnchoredRows {
    /** The first look, whose result {@link #products(LookResult, int, int)} takes. */
    static final Look FIRST = new Look(true, true, false, List.of(Reference.ORIGIN));

    /** The second look, at distances and inner products. */
    static final Look BOTH = new Look(true, true, true, List.of(Reference.ORIGIN));

    /** If a squared distance is at least this, a difference of coordinates may be infinite. */
    private static final double FAR = (double) Float.MAX_VALUE * Float.MAX_VALUE;

    /** The note of a row that holds NaN or infinity. */
    private static final double NOT_FINITE = -1;

    private final LookResult looked;
    private final int n;
    private final double[] squares;
    private final double anchorSquare;
    private final boolean[] finite;

    /** Computed on first use. */
    private double[][] products;

    private AnchoredRows(LookResult looked, int n, double[] squares, double anchorSquare) {
        this.looked = looked;
        this.n = n;
        this.squares = squares;
        this.anchorSquare = anchorSquare;
        finite = new boolean[n];
        for (int i = 0; i < n; i++) {
            finite[i] = squares[i] < Double.POSITIVE_INFINITY;
        }
    }

    /**
     * Looks again, only at inner products of the points of {@link #look(RowMap)}. Their lengths are
     * known from the first look and are stored as notes.
     *
     * @param first the look {@link #FIRST}
     */
    static Step products(LookResult first, int n, int f) {
        return products(first, anchor(first, n, f), n, List.of());
    }

    /**
     * Looks again like {@link #products(LookResult, int, int)}, with further notes. If a difference
     * of coordinates may be infinite although the rows are finite, looks at distances, too, without
     * notes.
     *
     * @param notes for each kind of note, one number per row
     * @param enough false to look at distances in all cases
     */
    static Step look(LookResult first, int n, int f, boolean enough, List<double[]> notes) {
        int anchor = anchor(first, n, f);
        boolean near =
                IntStream.range(0, n)
                        .mapToDouble(i -> first.squaredDistance(i, anchor))
                        .noneMatch(square -> square >= FAR && square < Double.POSITIVE_INFINITY);
        return near && enough ? products(first, anchor, n, notes) : look(differences(anchor, n));
    }

    private static Step products(LookResult first, int anchor, int n, List<double[]> more) {
        double[][] notes = new double[1 + more.size()][n + 1];
        for (int i = 0; i <= n; i++) {
            double square = first.squaredDistance(i < n ? i : anchor, i < n ? anchor : n);
            notes[0][i] = square < Double.POSITIVE_INFINITY ? square : NOT_FINITE;
        }
        for (int kind = 0; kind < more.size(); kind++) {
            System.arraycopy(more.get(kind), 0, notes[1 + kind], 0, n);
        }
        List<Reference> references = Collections.nCopies(notes.length, Reference.ORIGIN);
        Look products = new Look(true, false, true, references);
        return RowNotes.lookAgain(differences(anchor, n), products, notes);
    }

    /**
     * Distances of n rows from a point, as notes: {@link #NOT_FINITE} for rows that are not finite.
     *
     * @param first the look {@link #FIRST}
     * @param point a row, or n for the origin
     */
    static double[] distances(LookResult first, int n, int point) {
        double[] distances = new double[n];
        for (int i = 0; i < n; i++) {
            double square = first.squaredDistance(i, point);
            distances[i] = square < Double.POSITIVE_INFINITY ? Math.sqrt(square) : NOT_FINITE;
        }
        return distances;
    }

    /** Reads distances of n rows from notes; infinite for rows that are not finite. */
    static double[] notedDistances(RowMap mixed, int n) {
        return Arrays.stream(RowNotes.of(mixed, 1, 2))
                .limit(n)
                .map(value -> value == NOT_FINITE ? Double.POSITIVE_INFINITY : value)
                .toArray();
    }

    /**
     * Reads the results of {@link #products(LookResult, int, int)}, for n rows. A row whose
     * difference from the anchor is infinite counts as not finite.
     */
    static AnchoredRows noted(RowMap mixed, LookResult looked, int n) {
        return noted(mixed, looked, n, 1);
    }

    /** Reads the results of a look that stored {@code kinds} kinds of notes. */
    static AnchoredRows noted(RowMap mixed, LookResult looked, int n, int kinds) {
        double[] squares = RowNotes.of(mixed, 0, kinds);
        for (int i = 0; i <= n; i++) {
            // The difference of two finite rows may be infinite.
            boolean finite = i == n || Double.isFinite(looked.innerProduct(i, n));
            squares[i] =
                    squares[i] == NOT_FINITE || !finite ? Double.POSITIVE_INFINITY : squares[i];
        }
        return new AnchoredRows(looked, n, Arrays.copyOf(squares, n), squares[n]);
    }

    /**
     * Looks again, at distances and inner products of the rows' differences from the anchor,
     * followed by the negated anchor.
     *
     * @param differences made by {@link #differences}
     */
    static Step look(RowMap differences) {
        return new Step.LookAgain(differences, BOTH);
    }

    /** Maps n rows to their differences from one of them, followed by that row negated. */
    static RowMap differences(int anchor, int n) {
        double[][] weights = new double[n + 1][n];
        for (int i = 0; i < n; i++) {
            weights[i][i] += 1;
            weights[i][anchor] -= 1;
        }
        weights[anchor][anchor] = 0;
        weights[n][anchor] = -1;
        return new RowMap(weights);
    }

    /** Reads the results of {@link #look(RowMap)}, for n rows. */
    static AnchoredRows seen(LookResult looked, int n) {
        double[] squares = new double[n];
        Arrays.setAll(squares, i -> looked.squaredDistance(i, n + 1));
        return new AnchoredRows(looked, n, squares, looked.squaredDistance(n, n + 1));
    }

    /** Maps the points of the second look to the weighted sum of the rows. */
    static RowMap combine(double[] weights) {
        double[] all = new double[weights.length + 1];
        System.arraycopy(weights, 0, all, 0, weights.length);
        all[weights.length] = -1;
        return new RowMap(new double[][] {all});
    }

    /** The anchor among the finite ones of n rows; row 0 if there are none. */
    private static int anchor(LookResult first, int n, int f) {
        int[] rows =
                IntStream.range(0, n)
                        .filter(i -> first.squaredDistance(i, n) < Double.POSITIVE_INFINITY)
                        .toArray();
        return rows.length == 0 ? 0 : anchor(first, rows, Math.max(0, f - (n - rows.length)));
    }

    /**
     * Among {@code rows}, the row with the smallest sum of squared distances to its nearest rows,
     * where f rows are left out. Ties go to the first row.
     *
     * @param rows finite rows, at least one
     */
    static int anchor(LookResult distances, int[] rows, int f) {
        int best = rows[0];
        double least = Double.POSITIVE_INFINITY;
        double[] others = new double[rows.length];
        for (int row : rows) {
            Arrays.setAll(others, j -> Ranking.worst(distances.squaredDistance(row, rows[j])));
            double sum = Order.sumOfLeast(others, rows.length - f);
            if (sum < least) {
                least = sum;
                best = row;
            }
        }
        return best;
    }

    int rows() {
        return n;
    }

    /** False for a row that holds NaN or infinity. */
    boolean finite(int i) {
        return finite[i];
    }

    /** Inner product of two differences from the anchor, both finite. */
    double product(int i, int j) {
        return i == j ? squares[i] : looked.innerProduct(i, j);
    }

    /** Norm of the anchor. */
    double anchorNorm() {
        return Math.sqrt(anchorSquare);
    }

    /** Norms of the rows, after {@link #look(RowMap)}. */
    double[] norms() {
        double[] norms = new double[n];
        Arrays.setAll(norms, i -> Math.sqrt(looked.squaredDistance(i, n)));
        return norms;
    }

    /**
     * Distances of all rows from one row, after {@link #look(RowMap)}; infinite if one of the two
     * rows is not finite.
     */
    double[] distances(int i) {
        double[] distances = new double[n];
        Arrays.setAll(
                distances,
                j ->
                        finite[i] && finite[j]
                                ? Math.sqrt(looked.squaredDistance(i, j))
                                : Double.POSITIVE_INFINITY);
        return distances;
    }

    /** Weights of the mean of the finite rows. */
    double[] mean(double[] counts) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += finite[i] ? counts[i] : 0;
        }
        double[] weights = new double[n];
        for (int i = 0; i < n; i++) {
            weights[i] = finite[i] ? counts[i] / sum : 0;
        }
        return weights;
    }

    /**
     * Distances of all rows from the weighted sum of differences; infinite for rows that are not
     * finite.
     *
     * @param weights of the differences from the anchor; zero for rows that are not finite
     */
    double[] distances(double[] weights) {
        double[] along = along(weights, finite);
        double norm = 0;
        for (int i = 0; i < n; i++) {
            norm += weights[i] == 0 ? 0 : weights[i] * along[i];
        }
        double[] distances = new double[n];
        for (int i = 0; i < n; i++) {
            distances[i] =
                    finite[i]
                            ? Math.sqrt(Math.max(0, squares[i] - 2 * along[i] + norm))
                            : Double.POSITIVE_INFINITY;
        }
        return distances;
    }

    /**
     * The matrix √(w_i w_j)·⟨x_i − μ, x_j − μ⟩ with the weighted mean μ. Its nonzero eigenvalues
     * are those of the weighted covariance.
     *
     * @param weights sum to one; zero for non-finite rows
     */
    double[][] covariance(double[] weights) {
        boolean[] weighted = new boolean[n];
        for (int i = 0; i < n; i++) {
            weighted[i] = weights[i] != 0;
        }
        double[] along = along(weights, weighted);
        double norm = 0;
        for (int i = 0; i < n; i++) {
            norm += weights[i] * along[i];
        }
        double[][] covariance = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n && weighted[i]; j++) {
                if (weighted[j]) {
                    covariance[i][j] =
                            Math.sqrt(weights[i] * weights[j])
                                    * (products()[i][j] - along[i] - along[j] + norm);
                }
            }
        }
        return covariance;
    }

    /**
     * Inner products of the wanted rows with a weighted sum of rows; 0 for other rows. The loop
     * order keeps additions independent of each other.
     */
    private double[] along(double[] weights, boolean[] wanted) {
        double[] along = new double[n];
        for (int j = 0; j < n; j++) {
            if (weights[j] != 0) {
                double weight = weights[j];
                double[] row = products()[j];
                for (int i = 0; i < n; i++) {
                    along[i] += weight * row[i];
                }
            }
        }
        for (int i = 0; i < n; i++) {
            along[i] = wanted[i] ? along[i] : 0;
        }
        return along;
    }

    /** Inner products of all pairs of differences; meaningless for non-finite rows. */
    private double[][] products() {
        if (products == null) {
            products = new double[n][n];
            for (int i = 0; i < n; i++) {
                products[i][i] = squares[i];
                for (int j = i + 1; j < n; j++) {
                    products[i][j] = looked.innerProduct(i, j);
                    products[j][i] = products[i][j];
                }
            }
        }
        return products;
    }

    /** Length of the weighted sum of the differences from the anchor. */
    double length(double[] weights) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n && weights[i] != 0; j++) {
                if (weights[j] != 0) {
                    sum += weights[i] * weights[j] * products()[i][j];
                }
            }
        }
        return Math.sqrt(Math.max(0, sum));
    }
}
