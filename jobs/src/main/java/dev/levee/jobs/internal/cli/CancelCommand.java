package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.run.follow.Terminal;

import picocli.CommandLine.Command;

import java.io.IOException;

/** Ends the jobs of a run. */
@Command(
        name = "cancel",
        description = "Cancel the jobs of a run and print how to resume it.",
        footer = {"", "Exit status: 0 no job runs, 1 a job may still run, 2 wrong usage."})
final class CancelCommand extends LeftRunCommand {
    @Override
    public Integer call() throws IOException {
        find().cancel(new Terminal(line()));
        return 0;
    }
}
