package dev.levee.operators.rounds.coding;

import dev.levee.gar.Rule;

/** A rule that decodes what workers with a gradient code have sent. */
sealed interface CodeRule extends Rule permits DecodingRule, LocatingRule, RepetitionRule {
    /** The code that it decodes. */
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
