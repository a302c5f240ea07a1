package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

/**
 * Flag aggregator: the mean of the rows projected on the subspace Y of m dimensions that loses the
 * least of them and of their differences, Σ_i √(1 − ‖Yᵀĝ_i‖²) + λ/(p − 1)·Σ_{i<j} √(1 −
 * ‖Yᵀd̂_ij‖²), where ĝ_i are the p rows and d̂_ij their differences at length one (Almasi, Mishra,
 * Vamanan, Ravi, "Flag Aggregator: Scalable Distributed Training under Failures and Augmented
 * Losses using Convex Optimization", 2023, equation 5 and algorithm 1). By iteratively reweighted
 * least squares until the objective falls by less than {@link #TOLERANCE} of itself.
 *
 * <p>The subspace is robust, the lengths of the projected rows are not: clip first where rows may
 * be long. Rows that are not finite are left out.
 *
 * @param m dimensions of the subspace, 0 for ⌈(p + 1)/2⌉
 * @param lambda λ, weight of the differences, not negative
 */
public record Flag(int m, double lambda) implements MajorityRule {
    /** Relative fall of the objective that ends the iteration. */
    public static final double TOLERANCE = 1e-7;

    public Flag {
        if (!(lambda >= 0 && lambda < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "flag: lambda must be a number from 0, got " + Arguments.text(lambda));
        }
    }

    @Override
    public String name() {
        String given = m == 0 ? "" : "m=" + m;
        if (lambda != 1) {
            given += (given.isEmpty() ? "" : ",") + "lambda=" + Arguments.text(lambda);
        }
        return given.isEmpty() ? "flag" : "flag(" + given + ")";
    }

    @Override
    public Look look() {
        return Look.DISTANCES;
    }

    @Override
    public Step decide(int phase, RowMap mixed, Looked looked, Round round, RuleState state) {
        int n = round.rows();
        if (phase == 0) {
            return Anchored.look(looked, n, round.f());
        }
        RowSpan span = RowSpan.of(Anchored.seen(looked, n));
        int rows = span.finite().length;
        int dimensions = Math.min(m == 0 ? (rows + 2) / 2 : m, span.dimensions());
        double[][] basis = FlagSubspace.of(span, dimensions, lambda);
        double[] weights = span.weights(FlagSubspace.project(basis, span.mean()));
        RowMap map = new RowMap(new double[][] {weights}).after(mixed);
        double[] shares = new double[n];
        for (int i : span.finite()) {
            shares[i] = FlagSubspace.share(basis, span.direction(i));
        }
        return new Step.Reduce(map, new Reduction.Mean(), RuleState.NONE, shares);
    }
}
