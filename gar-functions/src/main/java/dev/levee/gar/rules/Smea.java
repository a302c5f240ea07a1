package dev.levee.gar.rules;

import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

/**
 * Smallest maximum eigenvalue averaging: the mean of the n − f rows whose empirical covariance has
 * the least largest eigenvalue, of such subsets the first in lexicographic order (Allouah et al.,
 * "On the Privacy-Robustness-Utility Trilemma in Distributed Learning", ICML 2023). Eigenvalues
 * that differ by less than 1e-10 of themselves count as equal.
 *
 * <p>Exact, by branch and bound, so the number of subsets is limited: there may be at most {@value
 * #SUBSETS} ways to leave out f of n rows.
 */
public record Smea() implements Rule {
    /** Largest binomial coefficient C(n, f) that is searched. */
    public static final long SUBSETS = 200_000;

    @Override
    public String name() {
        return "smea";
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

    /** Also refuses rounds with too many subsets. */
    @Override
    public void check(int n, int f) {
        Rule.super.check(n, f);
        double subsets = 1;
        for (int i = 1; i <= f; i++) {
            subsets = subsets * (n - f + i) / i;
        }
        if (subsets > SUBSETS) {
            throw new IllegalArgumentException(
                    ("smea searches among at most %d subsets, n = %d and f = %d have %.3g: take a"
                                    + " smaller f, fewer rows (bucketing) or caf")
                            .formatted(SUBSETS, n, f, subsets));
        }
    }

    @Override
    public Step decide(int phase, RowMap mixed, Looked looked, Round round, RuleState state) {
        int n = round.rows();
        int[] chosen = new LeastVariance(PairDistances.of(looked, n), n - round.f()).subset();
        return new Step.Reduce(
                RowMap.select(chosen, n),
                new Reduction.Mean(),
                RuleState.NONE,
                PairDistances.membership(chosen, n));
    }
}
