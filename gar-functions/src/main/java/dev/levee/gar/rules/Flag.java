package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.util.StringJoiner;

/**
 * Flag aggregator: the mean of the unit-length rows projected on the m-dimensional subspace Y that
 * minimizes Σ_i √(1 − ‖Yᵀĝ_i‖²) + λ/(p − 1)·Σ_{i&lt;j} √(1 − ‖Yᵀd̂_ij‖²), where ĝ_i are the p rows
 * and d̂_ij their differences, scaled to length one (Almasi, Mishra, Vamanan, Ravi, "Flag
 * Aggregator: Scalable Distributed Training under Failures and Augmented Losses using Convex
 * Optimization", 2023, equation 5 and algorithm 1; rows are normalized as in the authors' code).
 * Iteratively reweighted least squares runs until the objective decreases by less than {@link
 * #TOLERANCE} of itself. Non-finite rows are ignored.
 *
 * <p>The result has length one at most. With {@code rows=raw}, the original rows are projected and
 * averaged, and d̂_ij are their differences; one long row then determines the result.
 *
 * @param m dimensions of the subspace, at most the number of rows, 0 for ⌈(p + 1)/2⌉
 * @param lambda λ, weight of the differences, from 0 to 1e100
 * @param raw whether rows are projected unscaled
 */
public record Flag(int m, double lambda, boolean raw) implements MajorityRule {
    /** Relative fall of the objective that ends the iteration. */
    public static final double TOLERANCE = 1e-7;

    /** With a larger λ, weights of differences could overflow. */
    private static final double MOST_LAMBDA = 1e100;

    public Flag {
        Arguments.checkAtLeast("flag: m", 0, m);
        if (!(lambda >= 0 && lambda <= MOST_LAMBDA)) {
            throw new IllegalArgumentException(
                    "flag: lambda must be a number from 0 to %s, got %s"
                            .formatted(MOST_LAMBDA, Arguments.text(lambda)));
        }
    }

    /** Reads {@code m}, {@code lambda} and {@code rows}. */
    public static Flag of(Arguments arguments) {
        String rows = arguments.word("rows", "unit");
        if (!rows.equals("unit") && !rows.equals("raw")) {
            throw new IllegalArgumentException("flag: rows must be unit or raw, got " + rows);
        }
        return new Flag(
                arguments.positive("m", 0), arguments.number("lambda", 1), rows.equals("raw"));
    }

    @Override
    public String name() {
        StringJoiner given = new StringJoiner(",", "flag(", ")").setEmptyValue("flag");
        if (m != 0) {
            given.add("m=" + m);
        }
        if (lambda != 1) {
            given.add("lambda=" + Arguments.text(lambda));
        }
        if (raw) {
            given.add("rows=raw");
        }
        return given.toString();
    }

    @Override
    public int minimumRows(int f) {
        return Math.max(MajorityRule.super.minimumRows(f), m);
    }

    @Override
    public String limit() {
        return MajorityRule.super.limit() + (m == 0 ? "" : " and n ≥ m");
    }

    @Override
    public Look look() {
        return AnchoredRows.FIRST;
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int n = round.rows();
        if (phase == 0) {
            return RowSpan.look(looked, n, round.f());
        }
        RowSpan span = RowSpan.of(mixed, looked, n);
        int rows = span.finite().length;
        int dimensions = Math.min(m == 0 ? (rows + 2) / 2 : m, span.dimensions());
        double[][] units = new double[rows][];
        double[][] points = new double[rows][];
        for (int a = 0; a < rows; a++) {
            int i = span.finite()[a];
            units[a] = span.direction(i);
            points[a] = raw ? span.difference(i) : units[a];
        }
        FlagSubspace subspace = new FlagSubspace(units, points, lambda, span.dimensions());
        double[][] basis = subspace.basis(dimensions);
        double[] mean = raw ? span.mean() : mean(units, span.dimensions());
        double[] weights = span.weights(FlagSubspace.project(basis, mean));
        RowMap map = new RowMap(new double[][] {weights}).after(RowNotes.rows(mixed));
        double[] shares = new double[n];
        for (int a = 0; a < rows; a++) {
            shares[span.finite()[a]] = FlagSubspace.share(basis, units[a]);
        }
        return new Step.Reduce(map, new Reduction.Mean(), RuleState.NONE, shares);
    }

    private static double[] mean(double[][] vectors, int dimensions) {
        double[] mean = new double[dimensions];
        for (double[] vector : vectors) {
            for (int k = 0; k < dimensions; k++) {
                mean[k] += vector[k] / vectors.length;
            }
        }
        return mean;
    }
}
