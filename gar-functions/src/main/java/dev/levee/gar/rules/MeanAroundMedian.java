package dev.levee.gar.rules;

import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

/**
 * Per coordinate, the mean of the n − f values closest to the median (Xie, Koyejo, Gupta,
 * "Generalized Byzantine-tolerant SGD", 2018, "mean around median").
 */
public record MeanAroundMedian() implements MajorityRule {
    @Override
    public String name() {
        return "meamed";
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int n = round.rows();
        Reduction around = new Reduction.MeanAroundMedian(n - round.f());
        return new Step.Reduce(RowMap.identity(n, n), around, RuleState.NONE);
    }
}
