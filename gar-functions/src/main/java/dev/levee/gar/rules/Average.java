package dev.levee.gar.rules;

import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.util.stream.IntStream;

/**
 * The (weighted) mean of all rows, for trusted workers. A single Byzantine row controls the result.
 */
public record Average() implements WeightedRule {
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
    public boolean averages() {
        return true;
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int[] all = IntStream.range(0, round.rows()).toArray();
        return new Step.Reduce(RowWeights.select(all, round), new Reduction.Mean(), RuleState.NONE);
    }
}
