package dev.levee.gar.rules;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.util.OptionalDouble;

/**
 * The row with the lowest score, where a score is the sum of squared distances to the n − f − 2
 * nearest others (Blanchard, El Mhamdi, Guerraoui, Stainer, "Machine Learning with Adversaries",
 * NeurIPS 2017, section 4). If proven faults leave n − f − 2 below 1, one neighbor counts.
 *
 * @param score how rows are scored
 */
public record Krum(KrumScore score) implements Rule {
    /** Krum as in its paper. */
    public Krum() {
        this(KrumScore.PAPER);
    }

    @Override
    public String name() {
        return score.name("krum", "");
    }

    @Override
    public int minimumRows(int f) {
        return RowLimit.rows(2L * f + 3);
    }

    @Override
    public String limit() {
        return "n ≥ 2f + 3";
    }

    @Override
    public Look look() {
        return Look.DISTANCES;
    }

    /** η of proposition 1 of Krum's paper, without its dependence on the dimension. */
    @Override
    public OptionalDouble varianceFactor(int q, int f) {
        if (!score.equals(KrumScore.PAPER) || q < minimumRows(f)) {
            return OptionalDouble.empty();
        }
        double n = q;
        double spread = f * (n - f - 2) + (double) f * f * (n - f - 1);
        return OptionalDouble.of(Math.sqrt(2 * (n - f + spread / (n - 2 * f - 2))));
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int n = round.rows();
        double[] scores = score.scores(looked, n, round.f());
        RowMap best = RowMap.select(Ranking.least(scores, 1), n);
        return new Step.Reduce(best, new Reduction.Mean(), RuleState.NONE, scores);
    }
}
