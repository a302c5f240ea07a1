package dev.levee.jobs;

import dev.levee.jobs.internal.cli.LeveeCommand;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;

/** The command line: {@code levee train}, {@code evaluate}, {@code cluster}, {@code version}. */
public final class Levee {
    private Levee() {}

    /** Runs a command and exits: 0 done, 1 failed, 2 wrong usage. */
    public static void main(String[] arguments) {
        useLaunchersStandardError();
        // A library's log of a line is a line.
        System.setProperty("java.util.logging.SimpleFormatter.format", "%5$s%n");
        System.exit(LeveeCommand.commandLine().execute(arguments));
    }

    /** On a terminal the launcher filters what the JVM says, and names the real standard error. */
    private static void useLaunchersStandardError() {
        String path = System.getProperty("levee.err");
        if (path == null) {
            return;
        }
        try {
            System.setErr(
                    new PrintStream(
                            new FileOutputStream(path, true), true, Charset.defaultCharset()));
        } catch (IOException e) {
            // Without /dev/fd what is written takes the filtered way, line by line.
            System.clearProperty("levee.err");
        }
    }
}
