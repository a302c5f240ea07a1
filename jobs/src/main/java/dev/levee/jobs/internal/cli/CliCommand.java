package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.cli.failure.WrongInputException;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;

/** The base of all commands: where they write, and how they refuse input. */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
abstract class CliCommand {
    /** The command with its options, as picocli knows it. */
    @Spec CommandSpec spec;

    final CommandLine line() {
        return spec.commandLine();
    }

    final PrintWriter out() {
        return line().getOut();
    }

    final PrintWriter err() {
        return line().getErr();
    }

    /** Options that make no sense; the user is told how to see what does. */
    final ParameterException misused(String sentence) {
        return new ParameterException(line(), sentence);
    }

    /** Makes something of input. */
    @FunctionalInterface
    interface Making<T, E extends Exception> {
        T make() throws E;
    }

    /** Makes something of input, which is wrong if an argument is refused. */
    final <T, E extends Exception> T checked(Making<T, E> making) throws E {
        try {
            return making.make();
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    /** Input that is wrong; the sentence says all about it. */
    final WrongInputException wrong(String sentence) {
        return new WrongInputException(line(), sentence);
    }
}
