package dev.levee.k8s.flink;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.k8s.flink.rest.FlinkRest;
import dev.levee.k8s.flink.rest.RestException;

import java.io.IOException;
import java.util.Set;

/** Counts the slots of a Flink cluster. */
public final class TaskSlots {
    private TaskSlots() {}

    /** Number of all slots. */
    public static int all(FlinkRest rest) throws IOException {
        return rest.get("/overview").path("slots-total").asInt();
    }

    /** Slots that are not used by jobs other than these. */
    public static int beside(FlinkRest rest, Set<String> jobs) throws IOException {
        int slots = 0;
        for (JsonNode taskManager : rest.get("/taskmanagers").path("taskmanagers")) {
            try {
                JsonNode details = rest.get("/taskmanagers/" + taskManager.path("id").asText());
                slots += details.path("slotsNumber").asInt();
                for (JsonNode slot : details.path("allocatedSlots")) {
                    slots -= jobs.contains(slot.path("jobId").asText()) ? 0 : 1;
                }
            } catch (RestException e) {
                if (!e.notFound()) {
                    throw e;
                } // it has gone meanwhile
            }
        }
        return slots;
    }
}
