package dev.levee.operators.rounds.coding;

import dev.levee.gar.Rule;

/** A rule that decodes answers of workers with a gradient code. */
sealed interface CodeRule extends Rule permits DecodingRule, LocatingRule, RepetitionRule {
    /** The code that the rule decodes. */
    GradientCode code();

    @Override
    default String name() {
        return code().name();
    }

    @Override
    default boolean coversBuffers() {
        return true;
    }
}
