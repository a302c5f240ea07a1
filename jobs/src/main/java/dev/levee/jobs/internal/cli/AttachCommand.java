package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.run.ReturnToRun;
import dev.levee.jobs.internal.run.follow.Terminal;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.util.concurrent.Callable;

/** Follows a run that was left to its cluster. */
@Command(
        name = "attach",
        description =
                "Come back to a run on a cluster: follow it until it ends, then show its results.",
        footer = {
            "",
            "Ctrl-C leaves the run where it is.",
            "Exit status: 0 done, 1 failed, 2 wrong usage."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class AttachCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "RUN", description = "The --output of a run.")
    private String run;

    @Override
    public Integer call() throws Exception {
        find().attach(new Terminal(spec.commandLine()));
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
