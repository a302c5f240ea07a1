package dev.levee.gar.rules;

import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;
import dev.levee.gar.internal.SymmetricEigen;

/**
 * Covariance-bound agnostic filter (Allouah et al., "Towards Trustworthy Federated Learning with
 * Untrusted Participants", ICML 2025): rows lose weight as they stand out along the direction in
 * which the weighted rows vary most, until at most n − 2f of weight is left; the result is the
 * weighted mean of the step at which the largest variance was least.
 *
 * <p>The direction is found exactly, from the n × n matrix of inner products of centred rows, which
 * follow from the squared distances between rows that still have weight. The row that stands out
 * most loses all its weight, so there are at most n steps. Rows that are not finite begin without
 * weight.
 */
public record Caf() implements Rule {
    /** A share of weight that is left by rounding only, which would still move a mean far. */
    private static final double NOTHING_LEFT = 0x1p-40;

    @Override
    public String name() {
        return "caf";
    }

    @Override
    public int minimumRows(int f) {
        return 2 * f + 1;
    }

    @Override
    public String limit() {
        return "n ≥ 2f + 1";
    }

    @Override
    public Look look() {
        return Look.DISTANCES;
    }

    @Override
    public Step decide(int phase, RowMap mixed, Looked looked, Round round, RuleState state) {
        double[] weights = weights(PairDistances.of(looked, round.rows()), round.f());
        return new Step.Reduce(
                PairDistances.mean(weights), new Reduction.Mean(), RuleState.NONE, weights);
    }

    /** The weights c at the step of least variance. */
    static double[] weights(double[][] distances, int f) {
        int n = distances.length;
        double[] weights = PairDistances.membership(PairDistances.finite(distances), n);
        double[] best = weights.clone();
        double least = Double.POSITIVE_INFINITY;
        while (sum(weights) > n - 2 * f) {
            CentredRows rows = CentredRows.of(distances, weights);
            if (rows == null) {
                return best;
            }
            SymmetricEigen eigen = SymmetricEigen.of(rows.covariance());
            if (eigen.values()[0] < least) {
                least = eigen.values()[0];
                best = weights.clone();
            }
            double[] squares = rows.projections(eigen.vectors()[0]);
            double largest = 0;
            for (int i = 0; i < squares.length; i++) {
                squares[i] *= squares[i];
                largest = Math.max(largest, squares[i]);
            }
            if (largest == 0) {
                return best;
            }
            for (int i = 0; i < squares.length; i++) {
                double left = 1 - squares[i] / largest;
                weights[rows.rows()[i]] *= left < NOTHING_LEFT ? 0 : left;
            }
        }
        return best;
    }

    private static double sum(double[] weights) {
        double sum = 0;
        for (double weight : weights) {
            sum += weight;
        }
        return sum;
    }
}
