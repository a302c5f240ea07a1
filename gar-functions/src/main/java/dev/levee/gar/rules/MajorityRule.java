package dev.levee.gar.rules;

import dev.levee.gar.Rule;

/** A rule that needs the honest rows to be more than half. */
interface MajorityRule extends Rule {
    @Override
    default int minimumRows(int f) {
        return Limit.rows(2L * f + 1);
    }

    @Override
    default String limit() {
        return "n ≥ 2f + 1";
    }
}
