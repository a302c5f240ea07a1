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
 * The mean of the {@code m} rows of least score, where a row's score is the sum of its squared
 * distances to its n − f − 2 nearest others (Blanchard, El Mhamdi, Guerraoui, Stainer, "Machine
 * Learning with Adversaries", NeurIPS 2017, section 4; m = n − f − 2 as in Damaskinos et al.,
 * "AggregaThor", MLSys 2019).
 *
 * <p>Where proven faults leave so few rows that n − f − 2 is below 1, one neighbour is counted and
 * one row selected.
 *
 * @param m number of rows to average, at most n − f; 0 stands for n − f − 2. A round with fewer
 *     than m + f rows averages n − f
 */
public record MultiKrum(int m) implements Rule {
    public MultiKrum {
        if (m < 0) {
            throw new IllegalArgumentException("multi-krum: m must be at least 1, got " + m);
        }
    }

    @Override
    public String name() {
        return m == 0 ? "multi-krum" : "multi-krum(m=" + m + ")";
    }

    @Override
    public int minimumRows(int f) {
        return Math.max(2 * f + 3, m + f);
    }

    @Override
    public String limit() {
        return m == 0 ? "n ≥ 2f + 3" : "n ≥ 2f + 3 and n ≥ m + f";
    }

    @Override
    public Look look() {
        return Look.DISTANCES;
    }

    @Override
    public Step decide(int phase, RowMap mixed, Looked looked, Round round, RuleState state) {
        int n = round.rows();
        double[] scores = KrumScores.of(looked, n, KrumScores.neighbours(n, round.f()));
        int wanted = m == 0 ? n - round.f() - 2 : Math.min(m, n - round.f());
        int[] chosen = KrumScores.least(scores, Math.max(1, wanted));
        return new Step.Reduce(RowMap.select(chosen, n), new Reduction.Mean(), RuleState.NONE);
    }
}
