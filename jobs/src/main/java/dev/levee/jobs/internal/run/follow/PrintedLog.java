package dev.levee.jobs.internal.run.follow;

import dev.levee.learners.Learner;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LifeCycle;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.impl.Log4jContextFactory;

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
        // By default, log4j stops at Ctrl-C, while participants still say how they ended.
        Log4jContextFactory factory = (Log4jContextFactory) LogManager.getFactory();
        if (factory.getShutdownCallbackRegistry() instanceof LifeCycle hook) {
            hook.stop();
        }
    }

    @Override
    public void append(LogEvent event) {
        terminal.say(event.getMessage().getFormattedMessage());
    }
}
