package dev.levee.jobs.internal.report;

import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.jobs.internal.report.summary.MetricsCsv;
import dev.levee.jobs.internal.report.summary.Summary;

import java.io.IOException;
import java.util.List;

/** A finished run for tests of other packages. */
public final class FinishedRun {
    private FinishedRun() {}

    /** Two rounds under the median. */
    public static RunView ofTwoRounds() {
        return Runs.view("median");
    }

    /** Writes the results of such a run to a folder, given as an absolute URI. */
    public static void write(String directory) throws IOException {
        new RunFiles(directory)
                .write(
                        Summary.of(
                                Runs.PROVENANCE, Runs.configuration("median"), null, Runs.result()),
                        MetricsCsv.of(Runs.result()),
                        List.of());
    }
}
