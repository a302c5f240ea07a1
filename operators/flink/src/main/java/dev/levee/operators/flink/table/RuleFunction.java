package dev.levee.operators.flink.table;

import org.apache.flink.table.annotation.DataTypeHint;

/** One rule as an aggregate function: {@code MULTI_KRUM(gradient, [worker,] f)}. */
public final class RuleFunction extends RowsFunction {
    private static final long serialVersionUID = 1L;

    private final String rule;

    /** Creates the function of a rule. */
    public RuleFunction(String rule) {
        this.rule = parse(rule).name();
    }

    /** Adds a row. */
    public void accumulate(Rows rows, @DataTypeHint("ARRAY<FLOAT>") Float[] gradient, Integer f)
            throws Exception {
        change(rows, gradient, null, f, rule, 1);
    }

    /** Adds a row of a worker. */
    public void accumulate(
            Rows rows, @DataTypeHint("ARRAY<FLOAT>") Float[] gradient, Long worker, Integer f)
            throws Exception {
        change(rows, gradient, worker, f, rule, 1);
    }

    /** Retracts a row. */
    public void retract(Rows rows, @DataTypeHint("ARRAY<FLOAT>") Float[] gradient, Integer f)
            throws Exception {
        change(rows, gradient, null, f, rule, -1);
    }

    /** Retracts a row of a worker. */
    public void retract(
            Rows rows, @DataTypeHint("ARRAY<FLOAT>") Float[] gradient, Long worker, Integer f)
            throws Exception {
        change(rows, gradient, worker, f, rule, -1);
    }
}
