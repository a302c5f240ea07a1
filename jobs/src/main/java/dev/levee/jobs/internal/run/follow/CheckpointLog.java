package dev.levee.jobs.internal.run.follow;

import org.apache.logging.log4j.core.LogEvent;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why checkpoints failed, read from what a JobManager in this process logs: Flink's REST API says
 * only in which stage they did.
 */
final class CheckpointLog extends LogListener {
    private static final Pattern JOB = Pattern.compile("for job ([0-9a-f]{32})");
    private static final Map<String, String> CAUSES = new ConcurrentHashMap<>();

    private CheckpointLog() {
        super("checkpoint-log");
    }

    /** Begins to read. */
    static void open() {
        new CheckpointLog().listenTo("org.apache.flink.runtime.checkpoint");
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
