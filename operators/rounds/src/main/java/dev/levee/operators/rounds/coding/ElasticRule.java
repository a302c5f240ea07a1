package dev.levee.operators.rounds.coding;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

/**
 * Decodes a {@link Fractional} code in elastic runs: each round uses the {@link RepetitionRule} for
 * its number of workers.
 *
 * @param stragglers s
 * @param liars true if copies are compared
 */
record ElasticRule(int stragglers, boolean liars) implements Rule {
    @Override
    public Rule among(int participants) {
        return new RepetitionRule(new Fractional(participants, stragglers), liars);
    }

    /** The rule for the smallest number of workers. */
    private Rule least() {
        return among(stragglers + 1);
    }

    @Override
    public String name() {
        return least().name();
    }

    @Override
    public int minimumRows(int f) {
        return least().minimumRows(f);
    }

    @Override
    public String limit() {
        return least().limit();
    }

    @Override
    public Look look() {
        return least().look();
    }

    @Override
    public boolean coversBuffers() {
        return true;
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        throw new UnsupportedOperationException(
                "which rows are copies follows from who takes part");
    }
}
