package dev.levee.gar.rules;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

/**
 * The mean of the n − f rows that minimize the largest eigenvalue of their empirical covariance
 * (Allouah, Guerraoui, Gupta, Pinot, Stephan, "On the Privacy-Robustness-Utility Trilemma in
 * Distributed Learning", ICML 2023, section 4). The result is exact, without power iteration or
 * sampling. Ties go to the first rows in lexicographic order. The number of subsets, n over f, must
 * not exceed {@link #SUBSETS}.
 */
public record Smea() implements MajorityRule, WeightedRule {
    /** Maximum number of subsets: a few seconds on one core if all rows are similar. */
    public static final long SUBSETS = 200_000;

    @Override
    public String name() {
        return "smea";
    }

    @Override
    public Look look() {
        return Look.DISTANCES;
    }

    @Override
    public void check(int n, int f) {
        MajorityRule.super.check(n, f);
        double subsets = 1;
        for (int k = 1; k <= f; k++) {
            subsets *= (double) (n - f + k) / k;
        }
        if (Math.rint(subsets) > SUBSETS) {
            throw new IllegalArgumentException(
                    ("smea chooses among %.0f subsets with n = %d and f = %d, but at most %d "
                                    + "are allowed")
                            .formatted(subsets, n, f, SUBSETS));
        }
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int n = round.rows();
        int[] chosen = new LeastVariance(looked, n, n - round.f()).solve();
        return new Step.Reduce(
                RowWeights.select(chosen, round), new Reduction.Mean(), RuleState.NONE);
    }
}
