package dev.levee.k8s.flink;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;

/** The bounds of a job's slots, as Flink's REST API has them. */
final class ResourceRequirements {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final FlinkRest rest;
    private final FlinkJob job;

    ResourceRequirements(FlinkRest rest, FlinkJob job) {
        this.rest = rest;
        this.job = job;
    }

    /**
     * Sets the bounds of all vertices that can be scaled, unless they are that already or the job
     * ends anyway; of a job that Flink still initializes it knows none, and asks at the next
     * decision.
     *
     * @return true if they have changed
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
     * True if subtasks have finished. Flink 2.2 rescales after a checkpoint, and if that is the
     * job's last one and finds it finished, the JobManager ends, and all other jobs with it.
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
