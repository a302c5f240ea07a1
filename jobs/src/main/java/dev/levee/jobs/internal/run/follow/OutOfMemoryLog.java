package dev.levee.jobs.internal.run.follow;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/**
 * Detects from the log of a cluster in this process that memory has run out. If that happens to one
 * of Flink's own threads, Flink ends the process and throws nothing.
 */
public final class OutOfMemoryLog extends AbstractAppender {
    private static volatile boolean seen;

    private OutOfMemoryLog() {
        super("out-of-memory-log", null, null, true, Property.EMPTY_ARRAY);
    }

    /** Begins to listen, whatever logging was configured before. */
    static void open() {
        OutOfMemoryLog appender = new OutOfMemoryLog();
        appender.start();
        LoggerContext context = (LoggerContext) LogManager.getContext(false);
        context.getConfiguration().getRootLogger().addAppender(appender, null, null);
        context.updateLoggers();
    }

    /** True if memory has run out. */
    public static boolean seen() {
        return seen;
    }

    @Override
    public void append(LogEvent event) {
        for (Throwable each = event.getThrown(); each != null; each = each.getCause()) {
            seen |= each instanceof OutOfMemoryError;
        }
    }
}
