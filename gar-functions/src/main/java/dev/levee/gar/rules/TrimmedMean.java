package dev.levee.gar.rules;

import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

/**
 * Per coordinate, the mean of the values left after dropping the {@code f} smallest and the {@code
 * f} largest (Yin, Chen, Ramchandran, Bartlett, "Byzantine-Robust Distributed Learning", ICML 2018,
 * definition 2).
 */
public record TrimmedMean() implements MajorityRule {
    @Override
    public String name() {
        return "trimmed-mean";
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        RowMap all = RowMap.identity(round.rows(), round.rows());
        return new Step.Reduce(all, new Reduction.TrimmedMean(round.f()), RuleState.NONE);
    }
}
