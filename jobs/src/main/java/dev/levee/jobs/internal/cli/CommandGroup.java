package dev.levee.jobs.internal.cli;

/** A command that only has subcommands. */
abstract class CommandGroup extends CliCommand implements Runnable {
    @Override
    public final void run() {
        throw misused(
                "give a subcommand: "
                        + spec.usageMessage()
                                .synopsisSubcommandLabel()
                                .replaceFirst("\\|(\\w+)$", " or $1")
                                .replace("|", ", "));
    }

    final void range(String option, int value, int low, int high) {
        if (value < low || value > high) {
            throw misused(
                    "%s must be a whole number from %s to %s, got %s"
                            .formatted(option, low, high, value));
        }
    }
}
