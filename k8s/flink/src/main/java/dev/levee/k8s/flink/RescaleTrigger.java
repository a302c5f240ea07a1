package dev.levee.k8s.flink;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.k8s.flink.rest.Await;
import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Asks for checkpoints of jobs whose resource requirements have changed. Flink's adaptive scheduler
 * rescales a job when a checkpoint completes while the job's slots are there, so that little work
 * is repeated; with long intervals between checkpoints, it would wait for most of one. Not
 * thread-safe.
 */
public final class RescaleTrigger {
    /** A growing job waits until a shrinking one has restarted and returned its slots. */
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    private static final String CONFIGURED = "{\"checkpointType\":\"CONFIGURED\"}";

    private final FlinkRest rest;

    /** The JobManager's clock before the change in milliseconds, by job. */
    private final Map<String, Long> changed = new HashMap<>();

    /** The newest checkpoint that was asked for, by job. */
    private final Map<String, String> asked = new HashMap<>();

    /** A trigger for the jobs of a cluster. */
    public RescaleTrigger(FlinkRest rest) {
        this.rest = rest;
    }

    /**
     * Changes the requirements of a job, and asks for no checkpoint if the cluster does not answer
     * about the job before.
     *
     * @throws IOException if the change fails
     */
    public void change(String job, Change change) throws IOException {
        OptionalLong before = before(job);
        if (change.make() && before.isPresent()) {
            changed.put(job, before.getAsLong());
        }
    }

    private OptionalLong before(String job) {
        try {
            JsonNode seen = rest.get("/jobs/" + job);
            return running(seen)
                    ? OptionalLong.of(seen.path("now").asLong())
                    : OptionalLong.empty();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    /** A change of a job's requirements. */
    public interface Change {
        /** True if they differ now. */
        boolean make() throws IOException;
    }

    /** Asks until all these jobs restart, for a few seconds at most. */
    public void await() {
        Await.until(
                PATIENCE,
                () -> {
                    changed.entrySet().removeIf(this::done);
                    return changed.isEmpty();
                });
        changed.clear();
        asked.clear();
    }

    /** True of a job that restarts or has ended; asks for a checkpoint of any other. */
    private boolean done(Map.Entry<String, Long> each) {
        String checkpoints = "/jobs/" + each.getKey() + "/checkpoints";
        try {
            JsonNode seen = rest.get("/jobs/" + each.getKey());
            if (!running(seen) || runsSince(seen) > each.getValue()) {
                return true;
            }
            String before = asked.get(each.getKey());
            if (before == null || completed(checkpoints + "/" + before)) {
                asked.put(
                        each.getKey(),
                        rest.send("POST", checkpoints, CONFIGURED).path("request-id").asText());
            }
            return false;
        } catch (IOException e) {
            // It does without: Flink rescales it at the next checkpoint.
            return true;
        }
    }

    private boolean completed(String path) throws IOException {
        return rest.get(path).path("status").path("id").asText().equals("COMPLETED");
    }

    private static boolean running(JsonNode job) {
        return job.path("state").asText().equals("RUNNING");
    }

    /** When a job started to run, the last time. */
    private static long runsSince(JsonNode job) {
        return job.path("timestamps").path("RUNNING").asLong();
    }
}
