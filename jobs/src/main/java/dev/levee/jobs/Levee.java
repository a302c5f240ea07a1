package dev.levee.jobs;

import dev.levee.jobs.internal.cli.LeveeCommand;

/** The command line: {@code levee train}, {@code evaluate}, {@code cluster}, {@code version}. */
public final class Levee {
    private Levee() {}

    /** Runs a command and exits: 0 done, 1 failed, 2 wrong usage. */
    public static void main(String[] arguments) {
        System.exit(LeveeCommand.commandLine().execute(arguments));
    }
}
