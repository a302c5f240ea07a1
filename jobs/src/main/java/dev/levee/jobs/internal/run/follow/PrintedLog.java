package dev.levee.jobs.internal.run.follow;

import dev.levee.learners.Learner;

import org.apache.logging.log4j.core.LogEvent;

/**
 * Shows what a participant's own code prints, its tracebacks included, where there is no log file:
 * in the process of a participant outside the job.
 */
public final class PrintedLog extends LogListener {
    private final Terminal terminal;

    private PrintedLog(Terminal terminal) {
        super("printed-log");
        this.terminal = terminal;
    }

    /** Shows it from now on. */
    public static void open(Terminal terminal) {
        new PrintedLog(terminal).listenTo(Learner.PRINTED);
    }

    @Override
    public void append(LogEvent event) {
        terminal.say(event.getMessage().getFormattedMessage());
    }
}
