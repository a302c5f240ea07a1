package dev.levee.jobs.internal.run.follow;

import dev.levee.learners.Learner;

import org.apache.logging.log4j.core.LogEvent;

/**
 * Shows the output of a participant's own code, including tracebacks. It is used in processes of
 * participants outside the job, which have no log file.
 */
public final class PrintedLog extends LogListener {
    private final Terminal terminal;

    private PrintedLog(Terminal terminal) {
        super("printed-log");
        this.terminal = terminal;
    }

    /** Shows the output from now on, until this process has ended. */
    public static void open(Terminal terminal) {
        new PrintedLog(terminal).listenTo(Learner.PRINTED);
    }

    @Override
    public void append(LogEvent event) {
        terminal.say(event.getMessage().getFormattedMessage());
    }
}
