package dev.levee.gar.rules;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.util.OptionalDouble;

/**
 * Minimum-diameter averaging: the mean of the n − f rows whose largest pairwise distance is
 * smallest (Rousseeuw, "Multivariate estimation with high breakdown point", 1985; El-Mhamdi,
 * Guerraoui, Guirguis, Hoang, Rouault, "Genuinely Distributed Byzantine Machine Learning", PODC
 * 2020). Ties: the first rows in lexicographic order.
 */
public record Mda() implements MajorityRule, WeightedRule {
    @Override
    public String name() {
        return "mda";
    }

    @Override
    public Look look() {
        return Look.DISTANCES;
    }

    @Override
    public OptionalDouble varianceFactor(int rows, int f) {
        return OptionalDouble.of(2 * Math.sqrt(2) * f / (rows - f));
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int n = round.rows();
        int[] chosen = SmallestDiameter.subset(looked, n, n - round.f());
        return new Step.Reduce(
                RowWeights.select(chosen, round), new Reduction.Mean(), RuleState.NONE);
    }
}
