package dev.levee.k8s.flink;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** Counts the slots of a Flink cluster. */
public final class TaskSlots {
    private TaskSlots() {}

    /** Number of all slots. */
    public static int all(FlinkRest rest) throws IOException {
        return rest.get("/overview").path("slots-total").asInt();
    }

    /** Number of slots that are free or used by {@code jobs}. */
    public static int beside(FlinkRest rest, Set<String> jobs) throws IOException {
        int slots = 0;
        for (JsonNode taskManager : rest.get("/taskmanagers").path("taskmanagers")) {
            Optional<JsonNode> details =
                    rest.find("/taskmanagers/" + taskManager.path("id").asText());
            if (details.isPresent()) { // otherwise it has just been lost
                slots += details.get().path("slotsNumber").asInt();
                for (JsonNode slot : details.get().path("allocatedSlots")) {
                    slots -= jobs.contains(slot.path("jobId").asText()) ? 0 : 1;
                }
            }
        }
        return slots;
    }
}
