package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Sample;
import dev.levee.gar.Step;
import dev.levee.gar.internal.SymmetricEigen;

import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/**
 * DnC (Shejwalkar, Houmansadr, "Manipulating the Byzantine", NDSS 2021, algorithm 2). In each
 * iteration the rows, centred, on a seeded sample of coordinates are projected on their leading
 * right singular vector, and the ⌊c·f⌋ rows with the largest squared projection are dropped; the
 * rows kept in every iteration are averaged. The projections come from the n×n matrix −½·J·D·J of
 * the squared distances D on the sample, J = I − 1/n: with its leading eigenvalue λ and unit vector
 * u they are √λ·u.
 *
 * <p>Of equal projections the lower row is kept. If no row is kept in every iteration, those
 * dropped least often are averaged. Rows that are not finite, anywhere, are taken out first, as
 * proven faults: n and f count without them.
 *
 * @param iterations number of samples, at least 1
 * @param dimensions coordinates of each sample on average, b; all, if the vector has no more
 * @param c rows dropped for each Byzantine one
 */
public record DivideAndConquer(int iterations, int dimensions, double c) implements Rule {
    /** Note of a row that is not finite; the others count how often they were dropped. */
    private static final double NOT_FINITE = -1;

    public DivideAndConquer {
        if (!(c > 0) || Double.isInfinite(c)) {
            throw new IllegalArgumentException(
                    "dnc: c must be a number above 0, got " + Arguments.text(c));
        }
    }

    /** Reads the arguments {@code iterations}, {@code dimensions} and {@code c}. */
    public static DivideAndConquer of(Arguments arguments) {
        return new DivideAndConquer(
                arguments.positive("iterations", 5),
                arguments.positive("dimensions", 10_000),
                arguments.number("c", 1));
    }

    @Override
    public String name() {
        StringJoiner given = new StringJoiner(",", "dnc(", ")").setEmptyValue("dnc");
        if (iterations != 5) {
            given.add("iterations=" + iterations);
        }
        if (dimensions != 10_000) {
            given.add("dimensions=" + dimensions);
        }
        if (c != 1) {
            given.add("c=" + Arguments.text(c));
        }
        return given.toString();
    }

    @Override
    public int minimumRows(int f) {
        return Limit.rows(Math.max(2L * f, (long) (c * f)) + 1);
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
    public Step decide(int phase, RowMap mixed, Looked looked, Round round, RuleState state) {
        int n = round.rows();
        if (phase == 0) {
            double[] notes = new double[n];
            double[] norms = Norms.of(looked, n);
            Arrays.setAll(notes, i -> Double.isFinite(norms[i]) ? 0 : NOT_FINITE);
            return Notes.lookAgain(RowMap.identity(n, n), notes, look(0));
        }
        double[] dropped = Notes.of(mixed);
        RowMap rows = Notes.rows(mixed);
        double[] scores = new double[n];
        Arrays.fill(scores, Double.POSITIVE_INFINITY);
        int[] finite = IntStream.range(0, n).filter(i -> dropped[i] != NOT_FINITE).toArray();
        if (finite.length > 0) {
            double[] squares = squaredProjections(looked, finite);
            int f = Math.max(0, round.f() - (n - finite.length));
            int keep = Math.max(1, finite.length - (int) (c * f));
            int[] kept = Ranking.least(squares, keep);
            for (int i = 0; i < finite.length; i++) {
                scores[finite[i]] = squares[i];
                dropped[finite[i]] += Arrays.binarySearch(kept, i) < 0 ? 1 : 0;
            }
        }
        if (phase < iterations) {
            return Notes.lookAgain(rows, dropped, look(phase));
        }
        double least = Arrays.stream(finite).mapToDouble(i -> dropped[i]).min().orElse(NOT_FINITE);
        int[] chosen = IntStream.range(0, n).filter(i -> dropped[i] == least).toArray();
        return new Step.Reduce(
                RowMap.select(chosen, n).after(rows), new Reduction.Mean(), RuleState.NONE, scores);
    }

    private Look look(int iteration) {
        Sample sample = Sample.count(dimensions, iteration);
        return new Look(true, true, false, false, List.of(Reference.ORIGIN), sample);
    }

    private static double[] squaredProjections(Looked looked, int[] rows) {
        int n = rows.length;
        double[][] gram = new double[n][n];
        double[] means = new double[n];
        double mean = 0;
        for (int a = 0; a < n; a++) {
            for (int b = 0; b < n; b++) {
                means[a] += looked.squaredDistance(rows[a], rows[b]) / n;
            }
            mean += means[a] / n;
        }
        for (int a = 0; a < n; a++) {
            for (int b = 0; b < n; b++) {
                double square = looked.squaredDistance(rows[a], rows[b]);
                gram[a][b] = -(square - means[a] - means[b] + mean) / 2;
            }
        }
        SymmetricEigen leading = SymmetricEigen.of(gram);
        return Arrays.stream(leading.vector(0)).map(u -> leading.value(0) * u * u).toArray();
    }
}
