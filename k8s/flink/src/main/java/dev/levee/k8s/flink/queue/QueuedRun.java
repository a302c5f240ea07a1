package dev.levee.k8s.flink.queue;

import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.flink.ElasticRequest;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * A run that was submitted to an allocator. Immutable.
 *
 * @param id 32 hexadecimal digits; also the id of its first job
 * @param submitted time of submission, ISO 8601 in UTC, which determines its place in the queue
 * @param name the name of its jobs
 * @param output URI of the folder that receives its results
 * @param checkpoints URI of the folder of its checkpoints
 * @param request its request, in the form of its jobs' configuration
 */
public record QueuedRun(
        String id,
        String submitted,
        String name,
        String output,
        String checkpoints,
        Map<String, String> request) {
    /**
     * Copies the map.
     *
     * @throws RuntimeException if a value is missing, or the time or the request cannot be read
     */
    public QueuedRun {
        Objects.requireNonNull(id);
        Objects.requireNonNull(name);
        Objects.requireNonNull(output);
        Objects.requireNonNull(checkpoints);
        request = Map.copyOf(request);
        spec(id, submitted, request);
    }

    /** Generates a new id. */
    public static String newId() {
        return hex(UUID.randomUUID());
    }

    /**
     * The Flink id of one of this run's jobs. Flink refuses ids that it knows, even of ended jobs,
     * so no job is started twice.
     *
     * @param generation number of times that the run was paused before that job
     */
    public String job(int generation) {
        String seed = id + "-" + generation;
        return generation == 0
                ? id
                : hex(UUID.nameUUIDFromBytes(seed.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * The folder of the checkpoints of one of this run's jobs, and of the savepoint with which it
     * is paused. Other runs may share the folder above.
     */
    String folder(int generation) {
        return checkpoints + "/" + job(generation);
    }

    /** The request in the allocator's terms. */
    JobSpec spec() {
        return spec(id, submitted, request);
    }

    private static JobSpec spec(String id, String submitted, Map<String, String> request) {
        return ElasticRequest.inConfiguration(request)
                .orElseThrow()
                .spec(id, Instant.parse(submitted), true);
    }

    private static String hex(UUID uuid) {
        return uuid.toString().replace("-", "");
    }
}
