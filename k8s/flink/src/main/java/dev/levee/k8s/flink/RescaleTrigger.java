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
 * Triggers checkpoints of jobs whose resource requirements have changed. Flink's adaptive scheduler
 * rescales a job when a checkpoint completes and the job's slots are available, so that little work
 * is repeated. Without a trigger, it would wait for the next periodic checkpoint. Not thread-safe.
 */
public final class RescaleTrigger {
    /**
     * Maximum time to wait for rescaling. A growing job waits until a shrinking job has restarted
     * and returned its slots.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    /** Minimum time between two checkpoints of a job. */
    private static final Duration GAP = Duration.ofSeconds(1);

    private static final String CONFIGURED = "{\"checkpointType\":\"CONFIGURED\"}";

    private final FlinkRest rest;
    private final Duration patience;

    /** The JobManager's clock before the change in milliseconds, by job. */
    private final Map<String, Long> changed = new HashMap<>();

    /** The newest triggered checkpoint, by job. */
    private final Map<String, Asked> asked = new HashMap<>();

    /**
     * A triggered checkpoint.
     *
     * @param id the id of the request
     * @param nanos time of the request
     */
    private record Asked(String id, long nanos) {
        boolean isOld() {
            return System.nanoTime() - nanos >= GAP.toNanos();
        }
    }

    /** Creates a trigger for the jobs of a cluster. */
    public RescaleTrigger(FlinkRest rest) {
        this(rest, PATIENCE);
    }

    RescaleTrigger(FlinkRest rest, Duration patience) {
        this.rest = rest;
        this.patience = patience;
    }

    /**
     * Changes the requirements of a job. A checkpoint will follow only if the job was seen running
     * before the change.
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
        /**
         * Makes the change.
         *
         * @return true if the requirements are different now
         */
        boolean make() throws IOException;
    }

    /** Triggers checkpoints until all changed jobs have restarted, for a few seconds at most. */
    public void await() {
        Await.until(
                patience,
                () -> {
                    changed.entrySet().removeIf(this::done);
                    return changed.isEmpty();
                });
        changed.clear();
        asked.clear();
    }

    /** True if a job restarts or has ended; triggers a checkpoint of any other job. */
    private boolean done(Map.Entry<String, Long> each) {
        String checkpoints = "/jobs/" + each.getKey() + "/checkpoints";
        try {
            JsonNode seen = rest.get("/jobs/" + each.getKey());
            if (!running(seen) || runsSince(seen) > each.getValue()) {
                return true;
            }
            Asked before = asked.get(each.getKey());
            if (before == null || completed(checkpoints + "/" + before.id()) && before.isOld()) {
                String id = rest.send("POST", checkpoints, CONFIGURED).path("request-id").asText();
                asked.put(each.getKey(), new Asked(id, System.nanoTime()));
            }
            return false;
        } catch (IOException e) {
            // Gives up on the trigger: Flink rescales the job at the next periodic checkpoint.
            return true;
        }
    }

    /**
     * True if a triggered checkpoint has completed.
     *
     * @throws IOException if it has failed
     */
    private boolean completed(String path) throws IOException {
        JsonNode answer = rest.get(path);
        if (answer.path("operation").has("failure-cause")) {
            throw new IOException("the checkpoint " + path + " failed");
        }
        return answer.path("status").path("id").asText().equals("COMPLETED");
    }

    private static boolean running(JsonNode job) {
        return job.path("state").asText().equals("RUNNING");
    }

    /** When a job last started to run. */
    private static long runsSince(JsonNode job) {
        return job.path("timestamps").path("RUNNING").asLong();
    }
}
