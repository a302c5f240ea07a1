package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.run.ReturnToRun;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.util.concurrent.Callable;

/** A command about a run that was left to its cluster. */
abstract class LeftRunCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "RUN", description = "The --output of a run.")
    private String run;

    final CommandLine line() {
        return spec.commandLine();
    }

    final ReturnToRun find() throws IOException {
        try {
            return ReturnToRun.in(run);
        } catch (IllegalArgumentException e) {
            throw new WrongInputException(line(), e.getMessage());
        }
    }
}
