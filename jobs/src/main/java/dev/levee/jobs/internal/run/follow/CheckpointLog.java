package dev.levee.jobs.internal.run.follow;

import org.apache.logging.log4j.core.LogEvent;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Collects the causes of failed checkpoints from the log of a JobManager in this process. Flink's
 * REST API only gives the stage in which they failed.
 */
final class CheckpointLog extends LogListener {
    private static final Pattern JOB = Pattern.compile("for job ([0-9a-f]{32})");
    private static final Map<String, String> CAUSES = new ConcurrentHashMap<>();

    private CheckpointLog() {
        super("checkpoint-log");
    }

    /** Begins to listen to the log. */
    static void open() {
        new CheckpointLog().listenTo("org.apache.flink.runtime.checkpoint");
    }

    /** The cause of a job's latest failed checkpoint, if this process logged it. */
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
        // Flink passes causes between its components as text with class names.
        CAUSES.put(job.group(1), message.replaceFirst("^[\\w.$]+(Exception|Error): ", ""));
    }
}
