package dev.levee.operators.rounds.coding;

import dev.levee.gar.LookResult;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

/** Decodes the mean of the gradients of all shares from answers of workers that are all honest. */
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
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int[] rows = Answers.rows(round, code.workers());
        int[] answers = Answers.present(rows);
        return Answers.mean(code, answers, rows, round);
    }
}
