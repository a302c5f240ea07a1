package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Sample;
import dev.levee.gar.Step;
import dev.levee.gar.internal.eigen.LeadingEigen;

import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/**
 * DnC (Shejwalkar, Houmansadr, "Manipulating the Byzantine", NDSS 2021, algorithm 2). Each
 * iteration projects the centered rows, on a seeded sample of coordinates, on their leading right
 * singular vector and drops the ⌊c·f⌋ rows with the largest squared projections; the rows kept in
 * every iteration are averaged. The projections are √λ·u, where λ and u are the leading eigenvalue
 * and unit eigenvector of the n×n matrix J·P·J. P has the inner products of the rows on the sample,
 * and J = I − 1/n. P is computed from differences from one row that is near the others on the first
 * sample, so that a distant row does not reduce the others' precision.
 *
 * <p>Ties keep the lower row. An iteration drops no row if the rows do not differ on its sample. If
 * no row is kept in every iteration, those dropped least often are averaged. Non-finite rows are
 * removed first, as proven faults: n and f count without them. So are rows whose difference from
 * the near row is infinite.
 *
 * @param iterations number of samples, at least 1
 * @param dimensions average coordinates per sample, b, or all coordinates if the vector has fewer.
 *     0 for a tenth of the vector, at least {@link #LEAST} and at most {@link #MOST}; with all
 *     coordinates, all iterations would be the same
 * @param c rows dropped per Byzantine row
 */
public record DivideAndConquer(int iterations, int dimensions, double c) implements WeightedRule {
    /** Most coordinates that are sampled by default, the paper's b. */
    public static final int MOST = 10_000;

    /** Fewest coordinates that are sampled by default: fewer do not show how rows differ. */
    public static final int LEAST = 32;

    private static final double SHARE = 0.1;

    /**
     * Note of a row that is not finite. The notes of other rows count how often they were dropped.
     */
    private static final double NOT_FINITE = -1;

    public DivideAndConquer {
        Arguments.checkAtLeast("dnc: iterations", 1, iterations);
        Arguments.checkAtLeast("dnc: dimensions", 0, dimensions);
        if (!(c > 0) || Double.isInfinite(c)) {
            throw new IllegalArgumentException(
                    "dnc: c must be a number above 0, got " + Arguments.text(c));
        }
    }

    /** Reads the arguments {@code iterations}, {@code dimensions} and {@code c}. */
    public static DivideAndConquer of(Arguments arguments) {
        return new DivideAndConquer(
                arguments.positive("iterations", 5),
                arguments.positive("dimensions", 0),
                arguments.number("c", 1));
    }

    @Override
    public String name() {
        StringJoiner given = new StringJoiner(",", "dnc(", ")").setEmptyValue("dnc");
        if (iterations != 5) {
            given.add("iterations=" + iterations);
        }
        if (dimensions != 0) {
            given.add("dimensions=" + dimensions);
        }
        if (c != 1) {
            given.add("c=" + Arguments.text(c));
        }
        return given.toString();
    }

    @Override
    public int minimumRows(int f) {
        return RowLimit.rows(Math.max(2L * f, (long) Math.min(c * f, Integer.MAX_VALUE)) + 1);
    }

    @Override
    public String limit() {
        return c <= 2 ? "n ≥ 2f + 1" : "n ≥ " + Arguments.text(c) + "f + 1";
    }

    @Override
    public Look look() {
        return Look.NORMS;
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int n = round.rows();
        if (phase == 0) {
            double[] notes = new double[n];
            double[] norms = Norms.of(looked, n);
            Arrays.setAll(notes, i -> Double.isFinite(norms[i]) ? 0 : NOT_FINITE);
            return RowNotes.lookAgain(RowMap.identity(n, n), look(0, false), notes);
        }
        double[] dropped = Arrays.copyOf(RowNotes.of(mixed), n);
        for (int i = 0; i < n && phase > 1; i++) {
            // The difference of two finite rows may be infinite.
            double square = looked.squaredDistance(i, n + 1);
            dropped[i] = square < Double.POSITIVE_INFINITY ? dropped[i] : NOT_FINITE;
        }
        RowMap rows = RowNotes.rows(mixed);
        int[] finite = IntStream.range(0, n).filter(i -> dropped[i] != NOT_FINITE).toArray();
        int f = Math.max(0, round.f() - (n - finite.length));
        if (phase == 1) {
            RowMap differences = AnchoredRows.differences(anchor(looked, finite, f), n).after(rows);
            return RowNotes.lookAgain(differences, look(0, true), Arrays.copyOf(dropped, n + 1));
        }
        double[] scores = new double[n];
        Arrays.fill(scores, Double.POSITIVE_INFINITY);
        if (finite.length > 0) {
            double[] squares = squaredProjections(looked, finite, n);
            boolean differ = Arrays.stream(squares).anyMatch(square -> square > 0);
            int keep = differ ? Math.max(1, finite.length - (int) (c * f)) : finite.length;
            int[] kept = Ranking.least(squares, keep);
            for (int i = 0; i < finite.length; i++) {
                scores[finite[i]] = squares[i];
                dropped[finite[i]] += Arrays.binarySearch(kept, i) < 0 ? 1 : 0;
            }
        }
        if (phase <= iterations) {
            return RowNotes.lookAgain(rows, look(phase - 1, true), Arrays.copyOf(dropped, n + 1));
        }
        double least = Arrays.stream(finite).mapToDouble(i -> dropped[i]).min().orElse(NOT_FINITE);
        int[] chosen = IntStream.range(0, n).filter(i -> dropped[i] == least).toArray();
        // A row is its difference from the anchor minus the last point, which is the negated
        // anchor.
        double[][] whole = new double[chosen.length][n + 1];
        for (int o = 0; o < chosen.length; o++) {
            whole[o][chosen[o]] = 1;
            whole[o][n] = -1;
        }
        RowMap mean = RowWeights.scale(new RowMap(whole), chosen, round).after(rows);
        return new Step.Reduce(mean, new Reduction.Mean(), RuleState.NONE, scores);
    }

    /**
     * The look of an iteration: the distances between rows, to choose the anchor, or the inner
     * products of the rows' differences from it.
     */
    private Look look(int iteration, boolean products) {
        Sample sample =
                dimensions == 0
                        ? new Sample(SHARE, LEAST, MOST, iteration)
                        : Sample.count(dimensions, iteration);
        return new Look(true, true, products, false, List.of(Reference.ORIGIN), sample);
    }

    /** The anchor among the finite rows; row 0 if there are none. */
    private static int anchor(LookResult looked, int[] finite, int f) {
        return finite.length == 0 ? 0 : AnchoredRows.anchor(looked, finite, f);
    }

    private static double[] squaredProjections(LookResult looked, int[] rows, int n) {
        int m = rows.length;
        double[][] gram = new double[m][m];
        double[] means = new double[m];
        double mean = 0;
        for (int a = 0; a < m; a++) {
            for (int b = 0; b < m; b++) {
                gram[a][b] =
                        a == b
                                ? looked.squaredDistance(rows[a], n + 1)
                                : looked.innerProduct(rows[a], rows[b]);
                means[a] += gram[a][b] / m;
            }
            mean += means[a] / m;
        }
        for (int a = 0; a < m; a++) {
            for (int b = 0; b < m; b++) {
                gram[a][b] += mean - means[a] - means[b];
            }
        }
        LeadingEigen leading = LeadingEigen.of(gram);
        return Arrays.stream(leading.vector()).map(u -> leading.value() * u * u).toArray();
    }
}
