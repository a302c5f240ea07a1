package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.PreAggregation;
import dev.levee.gar.PreAggregationFactory;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;

/** A pre-aggregation from outside: turns every row round. */
public final class NegationFactory implements PreAggregationFactory {
    record Negation() implements PreAggregation {
        @Override
        public String name() {
            return "negation";
        }

        @Override
        public Look look() {
            return Look.NOTHING;
        }

        @Override
        public RowMap map(LookResult looked, Round round) {
            RowMap map = RowMap.identity(round.rows(), round.rows());
            for (int i = 0; i < round.rows(); i++) {
                map.weights()[i][i] = -1;
            }
            return map;
        }
    }

    @Override
    public String name() {
        return "negation";
    }

    @Override
    public PreAggregation create(Arguments arguments) {
        return new Negation();
    }
}
