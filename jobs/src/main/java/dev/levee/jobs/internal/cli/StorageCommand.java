package dev.levee.jobs.internal.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The storage tier. */
@Command(
        name = "storage",
        description = "The storage tier, which extracts features next to an object store.",
        synopsisSubcommandLabel = "serve",
        subcommands = StorageServeCommand.class,
        mixinStandardHelpOptions = true)
final class StorageCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "give a subcommand: serve");
    }
}
