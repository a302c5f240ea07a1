package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.cli.failure.WrongInputException;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;

/** The base of all commands: their output, and how they reject input. */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
abstract class CliCommand {
    /** picocli's model of this command and its options. */
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

    /** The exit status if the command succeeds, but standard output cannot be written. */
    int unwritten() {
        return 1;
    }

    /**
     * Returns an error about options that make no sense together; it refers the user to the help
     * text.
     */
    final ParameterException misused(String sentence) {
        return new ParameterException(line(), sentence);
    }

    /** Creates a value from input. */
    @FunctionalInterface
    interface Making<T, E extends Exception> {
        T make() throws E;
    }

    /** Creates a value from input, and turns a refused argument into an error about the input. */
    final <T, E extends Exception> T checked(Making<T, E> making) throws E {
        try {
            return making.make();
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    /**
     * Returns an error about wrong input. The sentence is complete, without a reference to the help
     * text.
     */
    final WrongInputException wrong(String sentence) {
        return new WrongInputException(line(), sentence);
    }
}
