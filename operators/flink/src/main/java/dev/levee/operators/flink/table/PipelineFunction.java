package dev.levee.operators.flink.table;

import org.apache.flink.table.annotation.DataTypeHint;

/**
 * Any rule or pipeline as an aggregate function: {@code ROBUST_AGGREGATE(gradient, worker, 3,
 * 'clip(2) | nnm | trimmed-mean')}.
 */
public final class PipelineFunction extends RowsFunction {
    private static final long serialVersionUID = 1L;

    /** Adds a row of a worker. */
    public void accumulate(
            Rows rows,
            @DataTypeHint("ARRAY<FLOAT>") Float[] gradient,
            Long worker,
            Integer f,
            String rule)
            throws Exception {
        change(rows, gradient, worker, f, rule, 1);
    }

    /** Retracts a row of a worker. */
    public void retract(
            Rows rows,
            @DataTypeHint("ARRAY<FLOAT>") Float[] gradient,
            Long worker,
            Integer f,
            String rule)
            throws Exception {
        change(rows, gradient, worker, f, rule, -1);
    }
}
