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
     * Sets the bounds of all vertices that can be scaled, unless they are that already; of a job
     * that Flink still initializes it knows none, and asks at the next decision.
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
        boolean changes = !wanted.equals(present);
        if (changes) {
            rest.send("PUT", path, wanted.toString());
        }
        return changes;
    }
}
