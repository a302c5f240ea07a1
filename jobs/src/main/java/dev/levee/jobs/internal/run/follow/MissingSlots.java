package dev.levee.jobs.internal.run.follow;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Distinguishes a job that waits for slots from one that is slow to start.
 *
 * @param rule name of the job
 * @param job id of the job
 */
record MissingSlots(FlinkRest rest, String rule, String job) {
    /** States of tasks that have no slot yet. */
    private static final List<String> WITHOUT_SLOT = List.of("CREATED", "SCHEDULED");

    /** A sentence if no task of the job has a slot and the cluster has too few free ones. */
    Optional<String> sentence() {
        try {
            JsonNode cluster = rest.overview();
            int free = cluster.path("slots-available").asInt();
            int needed = 1;
            for (JsonNode vertex : rest.get("/jobs/" + job).path("vertices")) {
                if (!WITHOUT_SLOT.contains(vertex.path("status").asText())) {
                    return Optional.empty();
                }
                // Tasks of different vertices share a slot.
                needed = Math.max(needed, vertex.path("parallelism").asInt());
            }
            return free >= needed
                    ? Optional.empty()
                    : Optional.of(words(needed, free, cluster.path("slots-total").asInt()));
        } catch (IOException e) {
            return Optional.empty(); // the next query will tell
        }
    }

    private String words(int needed, int free, int slots) {
        String there =
                slots == 0
                        ? "no TaskManager is registered"
                        : (free == 0 ? "none" : free)
                                + " of "
                                + slots
                                + (free > 1 ? " are free" : " is free");
        return "%s waits for %s: %s at %s"
                .formatted(
                        rule,
                        needed == 1 ? "a slot" : "up to " + needed + " slots",
                        there,
                        rest.address());
    }
}
