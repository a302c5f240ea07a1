package dev.levee.jobs.internal.cli;

import picocli.CommandLine.Command;

/** The group of commands about the storage tier. */
@Command(
        name = "storage",
        description = "The storage tier, which extracts features next to an object store.",
        synopsisSubcommandLabel = "serve",
        subcommands = StorageServeCommand.class)
final class StorageCommand extends CommandGroup {}
