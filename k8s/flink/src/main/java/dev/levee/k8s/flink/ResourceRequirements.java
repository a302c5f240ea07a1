package dev.levee.k8s.flink;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;

/** Sets the limits of a job's slots through Flink's REST API. */
final class ResourceRequirements {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final FlinkRest rest;
    private final FlinkJob job;

    ResourceRequirements(FlinkRest rest, FlinkJob job) {
        this.rest = rest;
        this.job = job;
    }

    /**
     * Sets the limits of all scalable vertices, unless they are already set or the job is ending.
     * For a job that Flink still initializes, vertices are unknown, and nothing is set until the
     * next decision.
     *
     * @return true if the limits have changed
     */
    boolean bound(int lower, int upper) throws IOException {
        if (job.vertices().isEmpty()) {
            return false;
        }
        String path = "/jobs/" + job.id() + "/resource-requirements";
        ObjectNode wanted = JSON.createObjectNode();
        job.vertices()
                .forEach(
                        (vertex, most) ->
                                wanted.putObject(vertex)
                                        .putObject("parallelism")
                                        .put("lowerBound", Math.min(lower, most))
                                        .put("upperBound", Math.min(upper, most)));
        JsonNode present = rest.get(path);
        boolean changes = !wanted.equals(present) && !ends();
        if (changes) {
            rest.send("PUT", path, wanted.toString());
        }
        return changes;
    }

    /**
     * True if subtasks have finished. Flink 2.2 rescales after a checkpoint. If this is the job's
     * last checkpoint and the job has finished by then, the JobManager terminates, and all other
     * jobs with it.
     */
    private boolean ends() throws IOException {
        for (JsonNode vertex : rest.get("/jobs/" + job.id()).path("vertices")) {
            if (vertex.path("tasks").path("FINISHED").asInt() > 0) {
                return true;
            }
        }
        return false;
    }
}
