package dev.levee.gar.rules;

import dev.levee.gar.Rule;

/** A rule that requires that more than half of the rows are honest. */
interface MajorityRule extends Rule {
    @Override
    default int minimumRows(int f) {
        return RowLimit.rows(2L * f + 1);
    }

    @Override
    default String limit() {
        return "n ≥ 2f + 1";
    }
}
