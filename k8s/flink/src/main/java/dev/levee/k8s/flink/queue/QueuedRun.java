package dev.levee.k8s.flink.queue;

import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.flink.ElasticRequest;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * A run that was handed to an allocator; never changes.
 *
 * @param id 32 hexadecimal digits; also the id of its first job
 * @param submitted when, ISO 8601 in UTC, which is its place in the queue
 * @param name the name of its jobs
 * @param output URI of the folder that receives its results
 * @param checkpoints URI of the folder of its checkpoints
 * @param request its request, as in the configuration of its jobs
 */
public record QueuedRun(
        String id,
        String submitted,
        String name,
        String output,
        String checkpoints,
        Map<String, String> request) {
    /** A copy of its own. */
    public QueuedRun {
        request = Map.copyOf(request);
    }

    /** A new id. */
    public static String newId() {
        return hex(UUID.randomUUID());
    }

    /**
     * Flink's id of one of its jobs. Flink refuses an id that it knows, also of a job that has
     * ended, so none is started twice.
     *
     * @param generation how often the run was paused before that job
     */
    public String job(int generation) {
        String seed = id + "-" + generation;
        return generation == 0
                ? id
                : hex(UUID.nameUUIDFromBytes(seed.getBytes(StandardCharsets.UTF_8)));
    }

    /** The folder of the savepoint with which the job of a generation is paused. */
    String pause(int generation) {
        return checkpoints + "/pause-" + generation;
    }

    /** The same as the allocator wants it. */
    JobSpec spec() {
        return ElasticRequest.inConfiguration(request)
                .orElseThrow()
                .spec(id, Instant.parse(submitted), true);
    }

    private static String hex(UUID uuid) {
        return uuid.toString().replace("-", "");
    }
}
