package dev.levee.jobs.internal.report;

import dev.levee.jobs.internal.report.page.RunView;

/** A finished run for tests of other packages. */
public final class FinishedRun {
    private FinishedRun() {}

    /** Two rounds under the median. */
    public static RunView ofTwoRounds() {
        return Runs.view("median");
    }
}
