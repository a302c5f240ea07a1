package dev.levee.jobs.internal.run.follow;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Tells a job that waits for slots from one that is slow to start.
 *
 * @param rule what the job is called
 * @param job its id
 */
record MissingSlots(FlinkRest rest, String rule, String job) {
    /** States of tasks that have no slot yet. */
    private static final List<String> WITHOUT_SLOT = List.of("CREATED", "SCHEDULED");

    /** A sentence, if no task of the job has a slot and the cluster has none to give. */
    Optional<String> sentence() {
        try {
            JsonNode cluster = rest.overview();
            if (cluster.path("slots-available").asInt() > 0 || hasSlots()) {
                return Optional.empty();
            }
            int slots = cluster.path("slots-total").asInt();
            return Optional.of(
                    rule
                            + " waits for a slot: "
                            + (slots == 0
                                    ? "no TaskManager is registered at "
                                    : "none of " + slots + " is free at ")
                            + rest.address());
        } catch (IOException e) {
            return Optional.empty(); // the next look will tell
        }
    }

    private boolean hasSlots() throws IOException {
        for (JsonNode vertex : rest.get("/jobs/" + job).path("vertices")) {
            if (!WITHOUT_SLOT.contains(vertex.path("status").asText())) {
                return true;
            }
        }
        return false;
    }
}
