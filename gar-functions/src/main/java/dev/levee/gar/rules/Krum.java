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
 * The row of least score, where a row's score is the sum of its squared distances to its n − f − 2
 * nearest others (Blanchard, El Mhamdi, Guerraoui, Stainer, "Machine Learning with Adversaries",
 * NeurIPS 2017, section 4). Where proven faults leave so few rows that n − f − 2 is below 1, one
 * neighbour is counted.
 */
public record Krum() implements Rule {
    @Override
    public String name() {
        return "krum";
    }

    @Override
    public int minimumRows(int f) {
        return 2 * f + 3;
    }

    @Override
    public String limit() {
        return "n ≥ 2f + 3";
    }

    @Override
    public Look look() {
        return Look.DISTANCES;
    }

    @Override
    public Step decide(int phase, RowMap mixed, Looked looked, Round round, RuleState state) {
        int n = round.rows();
        double[] scores = KrumScores.of(looked, n, KrumScores.neighbours(n, round.f()));
        RowMap best = RowMap.select(KrumScores.least(scores, 1), n);
        return new Step.Reduce(best, new Reduction.Mean(), RuleState.NONE);
    }
}
