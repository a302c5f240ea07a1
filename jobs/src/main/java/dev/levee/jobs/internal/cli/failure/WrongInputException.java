package dev.levee.jobs.internal.cli.failure;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Signals wrong input to a valid command; the message is one complete sentence. */
public final class WrongInputException extends ParameterException {
    private static final long serialVersionUID = 1L;

    public WrongInputException(CommandLine line, String sentence) {
        super(line, sentence);
    }
}
