package dev.levee.jobs.internal.cli.failure;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The command is valid, but its input is wrong: one sentence says how. */
public final class WrongInputException extends ParameterException {
    private static final long serialVersionUID = 1L;

    public WrongInputException(CommandLine line, String sentence) {
        super(line, sentence);
    }
}
