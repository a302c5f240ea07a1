package dev.levee.gar.rules;

import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

/**
 * Per coordinate, the mean of the n − f values closest to the mean that drops the f smallest and
 * the f largest (Xie, Koyejo, Gupta, "Phocas: dimensional Byzantine-resilient stochastic gradient
 * descent", 2018).
 */
public record Phocas() implements MajorityRule {
    @Override
    public String name() {
        return "phocas";
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int n = round.rows();
        int f = round.f();
        Reduction around = new Reduction.MeanAroundTrimmedMean(f, n - f);
        return new Step.Reduce(RowMap.identity(n, n), around, RuleState.NONE);
    }
}
