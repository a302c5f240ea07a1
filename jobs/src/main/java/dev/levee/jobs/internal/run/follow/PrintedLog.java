package dev.levee.jobs.internal.run.follow;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/**
 * Shows what a participant's own code prints, its tracebacks included, where there is no log file:
 * in the process of a participant outside the job.
 */
public final class PrintedLog extends AbstractAppender {
    private final Terminal terminal;

    private PrintedLog(Terminal terminal) {
        super("printed-log", null, null, true, Property.EMPTY_ARRAY);
        this.terminal = terminal;
    }

    /** Shows it from now on. */
    public static void open(Terminal terminal) {
        PrintedLog appender = new PrintedLog(terminal);
        appender.start();
        LoggerContext context = (LoggerContext) LogManager.getContext(false);
        Configuration configuration = context.getConfiguration();
        LoggerConfig logger =
                LoggerConfig.newBuilder()
                        .withLoggerName("dev.levee.printed")
                        .withConfig(configuration)
                        .withAdditivity(true)
                        .build();
        logger.addAppender(appender, null, null);
        configuration.addLogger(logger.getName(), logger);
        context.updateLoggers();
    }

    @Override
    public void append(LogEvent event) {
        terminal.say(event.getMessage().getFormattedMessage());
    }
}
