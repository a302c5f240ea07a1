package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleFactory;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.util.List;

/** A rule from outside: the median under another name, so that it passes the contract test. */
public final class MarkedMedianFactory implements RuleFactory {
    record MarkedMedian(String mark) implements Rule {
        @Override
        public String name() {
            return mark.isEmpty() ? "marked-median" : "marked-median(mark=" + mark + ")";
        }

        @Override
        public int minimumRows(int f) {
            return 2 * f + 1;
        }

        @Override
        public String limit() {
            return "n ≥ 2f + 1";
        }

        @Override
        public Look look() {
            return Look.NOTHING;
        }

        @Override
        public Step decide(
                int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
            RowMap all = RowMap.identity(round.rows(), round.rows());
            return new Step.Reduce(all, new Reduction.Median(false), RuleState.NONE);
        }
    }

    @Override
    public String name() {
        return "marked-median";
    }

    @Override
    public List<String> parameters() {
        return List.of("mark");
    }

    @Override
    public Rule create(Arguments arguments) {
        return new MarkedMedian(arguments.word("mark", ""));
    }
}
