package dev.levee.gar.rules;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

/**
 * The mean of the n − f rows with the smallest norms (Gupta, Liu, Vaidya, "Byzantine Fault-Tolerant
 * Distributed Machine Learning Using Stochastic Gradient Descent (SGD) and Norm-Based Comparative
 * Gradient Elimination (CGE)", 2020).
 */
public record ComparativeElimination() implements MajorityRule, WeightedRule {
    @Override
    public String name() {
        return "cge";
    }

    @Override
    public Look look() {
        return Look.NORMS;
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int n = round.rows();
        double[] norms = Norms.of(looked, n);
        RowMap kept = RowWeights.select(Ranking.least(norms, n - round.f()), round);
        return new Step.Reduce(kept, new Reduction.Mean(), RuleState.NONE, norms);
    }
}
