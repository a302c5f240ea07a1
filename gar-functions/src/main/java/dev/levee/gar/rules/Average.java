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
 * The mean of all rows: what training does when everyone is trusted. One bad row moves it at will.
 */
public record Average() implements Rule {
    @Override
    public String name() {
        return "average";
    }

    @Override
    public int minimumRows(int f) {
        return 1;
    }

    @Override
    public String limit() {
        return "n ≥ 1";
    }

    @Override
    public Look look() {
        return Look.NOTHING;
    }

    @Override
    public Step decide(int phase, RowMap mixed, Looked looked, Round round, RuleState state) {
        RowMap all = RowMap.identity(round.rows(), round.rows());
        return new Step.Reduce(all, new Reduction.Mean(), RuleState.NONE);
    }
}
