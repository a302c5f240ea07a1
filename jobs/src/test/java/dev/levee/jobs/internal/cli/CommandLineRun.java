package dev.levee.jobs.internal.cli;

import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * What a command line came to.
 *
 * @param code exit code
 * @param out standard output
 * @param err standard error
 */
public record CommandLineRun(int code, String out, String err) {
    public static CommandLineRun of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = LeveeCommand.commandLine(arguments);
        line.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        int code = line.execute(arguments);
        return new CommandLineRun(code, out.toString(), err.toString());
    }

    /** The first line of standard error. */
    String sentence() {
        return err.lines().findFirst().orElse("");
    }
}
