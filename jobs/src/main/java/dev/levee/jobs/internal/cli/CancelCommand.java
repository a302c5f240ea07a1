package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.run.ReturnToRun;
import dev.levee.jobs.internal.run.follow.Terminal;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.util.concurrent.Callable;

/** Ends the jobs of a run. */
@Command(
        name = "cancel",
        description = "End the jobs of a run, and say how it could go on.",
        footer = {"", "Exit status: 0 none runs, 1 one may still run, 2 wrong usage."},
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class CancelCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "RUN", description = "The --output of a run.")
    private String run;

    @Override
    public Integer call() throws IOException {
        find().cancel(new Terminal(spec.commandLine()));
        return 0;
    }

    private ReturnToRun find() throws IOException {
        try {
            return ReturnToRun.in(run);
        } catch (IllegalArgumentException e) {
            throw new WrongInputException(spec.commandLine(), e.getMessage());
        }
    }
}
