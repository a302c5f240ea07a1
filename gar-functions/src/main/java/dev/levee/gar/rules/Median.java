package dev.levee.gar.rules;

import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.util.OptionalDouble;

/**
 * The coordinate-wise median (Yin, Chen, Ramchandran, Bartlett, "Byzantine-Robust Distributed
 * Learning", ICML 2018, definition 1; Xie, Koyejo, Gupta, "Generalized Byzantine-tolerant SGD",
 * 2018, "marginal median").
 *
 * @param lower whether the median of an even number of values is the lower of the two middle ones
 *     instead of their mean
 */
public record Median(boolean lower) implements MajorityRule {
    @Override
    public String name() {
        return lower ? "median(lower)" : "median";
    }

    @Override
    public OptionalDouble varianceFactor(int rows, int f) {
        return OptionalDouble.of(Math.sqrt(rows - f));
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        RowMap all = RowMap.identity(round.rows(), round.rows());
        return new Step.Reduce(all, new Reduction.Median(lower), RuleState.NONE);
    }
}
