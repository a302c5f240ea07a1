package dev.levee.gar.rules;

import dev.levee.gar.Rule;

/** A rule whose rows may have weights. */
interface WeightedRule extends Rule {
    @Override
    default boolean takesWeights() {
        return true;
    }
}
