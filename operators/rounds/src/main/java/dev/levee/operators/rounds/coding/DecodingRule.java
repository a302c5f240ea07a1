package dev.levee.operators.rounds.coding;

import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.util.stream.IntStream;

/**
 * Decodes what workers who all tell the truth have sent: the mean of the gradients of all shares.
 */
record DecodingRule(GradientCode code) implements CodeRule {
    @Override
    public int minimumRows(int f) {
        return f == 0 ? code.fewestAnswers() : Integer.MAX_VALUE;
    }

    @Override
    public String limit() {
        return code.fewestAnswers() == 1 ? "f = 0" : "f = 0 and n − s answers";
    }

    @Override
    public Look look() {
        return Look.NOTHING;
    }

    @Override
    public Step decide(int phase, RowMap mixed, Looked looked, Round round, RuleState state) {
        int[] rows = Answers.rows(round, code.workers());
        int[] answers = IntStream.range(0, rows.length).filter(i -> rows[i] >= 0).toArray();
        double[] weights = code.decode(answers).weights();
        double[] columns = new double[round.rows()];
        for (int i = 0; i < answers.length; i++) {
            columns[rows[answers[i]]] = weights[i] / code.workers();
        }
        return new Step.Reduce(
                new RowMap(new double[][] {columns}), new Reduction.Mean(), RuleState.NONE);
    }
}
