package dev.levee.jobs.internal.run.follow;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why checkpoints failed, read from what a JobManager in this process logs: Flink's REST API says
 * only in which stage they did.
 */
final class CheckpointLog extends AbstractAppender {
    private static final Pattern JOB = Pattern.compile("for job ([0-9a-f]{32})");
    private static final Map<String, String> CAUSES = new ConcurrentHashMap<>();

    private CheckpointLog() {
        super("checkpoint-log", null, null, true, Property.EMPTY_ARRAY);
    }

    /** Begins to read, whatever logging was configured before. */
    static void open() {
        CheckpointLog appender = new CheckpointLog();
        appender.start();
        LoggerContext context = (LoggerContext) LogManager.getContext(false);
        Configuration configuration = context.getConfiguration();
        LoggerConfig logger =
                LoggerConfig.newBuilder()
                        .withLoggerName("org.apache.flink.runtime.checkpoint")
                        .withConfig(configuration)
                        .withAdditivity(true)
                        .build();
        logger.addAppender(appender, null, null);
        configuration.addLogger(logger.getName(), logger);
        context.updateLoggers();
    }

    /** Why the newest failed checkpoint of a job did, if that was logged here. */
    static Optional<String> cause(String job) {
        return Optional.ofNullable(CAUSES.get(job));
    }

    @Override
    public void append(LogEvent event) {
        Throwable cause = event.getThrown();
        Matcher job = JOB.matcher(event.getMessage().getFormattedMessage());
        if (cause == null || !job.find()) {
            return;
        }
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        // Flink passes causes between its parts as text, class names included.
        CAUSES.put(job.group(1), message.replaceFirst("^[\\w.$]+(Exception|Error): ", ""));
    }
}
