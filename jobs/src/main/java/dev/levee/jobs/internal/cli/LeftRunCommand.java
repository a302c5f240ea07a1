package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.cli.view.Columns;
import dev.levee.jobs.internal.cli.view.EffectTable;
import dev.levee.jobs.internal.estimate.SubmittedEstimate;
import dev.levee.jobs.internal.run.LeftFolder;
import dev.levee.jobs.internal.run.LeftRun;
import dev.levee.jobs.internal.run.ReturnToJob;
import dev.levee.jobs.internal.run.ReturnToRun;
import dev.levee.jobs.internal.study.SubmittedStudy;

import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.util.concurrent.Callable;

/** A command about a detached run. */
abstract class LeftRunCommand extends CliCommand implements Callable<Integer> {
    @Parameters(paramLabel = "RUN", description = "The --output of a run.")
    private String run;

    final LeftRun find() throws IOException {
        try {
            LeftFolder folder = LeftFolder.of(run);
            if (folder.record().studies()) {
                return new ReturnToJob<>(
                        folder,
                        SubmittedStudy::left,
                        results -> Columns.print(line().getOut(), results.lines()));
            }
            return folder.record().estimates()
                    ? new ReturnToJob<>(
                            folder,
                            SubmittedEstimate::left,
                            summary -> new EffectTable(summary).print(line().getOut()))
                    : new ReturnToRun(folder);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }
}
