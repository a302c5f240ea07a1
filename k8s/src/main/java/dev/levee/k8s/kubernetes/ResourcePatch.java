package dev.levee.k8s.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.levee.k8s.Decision;

import java.util.Optional;

/**
 * What a decision changes on a resource.
 *
 * @param json a JSON merge patch that only fits the version of the resource it was made for
 * @param reason of the Event; null where only the labels for people change
 */
record ResourcePatch(ObjectNode json, String reason) {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** Of a resource that runs or waits. */
    static ResourcePatch of(Seen seen, FlinkResource now, Decision decision) {
        ObjectNode metadata = NODES.objectNode();
        metadata.put("resourceVersion", now.version());
        ObjectNode labels = NODES.objectNode();
        ObjectNode annotations = NODES.objectNode();
        ObjectNode job = NODES.objectNode();
        boolean changed = labels(seen, now, decision, labels, annotations);
        String reason = workers(now, decision.workers(), job, annotations);
        metadata.set("labels", labels);
        metadata.set("annotations", annotations);
        ObjectNode json = NODES.objectNode();
        json.set("metadata", metadata);
        if (reason != null) {
            json.set("spec", NODES.objectNode().set("job", job));
        }
        return changed || reason != null ? new ResourcePatch(json, reason) : null;
    }

    private static boolean labels(
            Seen seen,
            FlinkResource now,
            Decision decision,
            ObjectNode labels,
            ObjectNode annotations) {
        labels.put(Keys.WORKERS, Integer.toString(decision.workers()));
        annotations.put(Keys.REASON, decision.why());
        if (seen.kind() == Seen.Kind.RUNNING) {
            labels.put(Keys.BATCH_SIZE, Integer.toString(decision.localBatch()));
            annotations.put(Keys.LAST_RUN, Bounds.of(seen.observation().spec()).toJson());
        }
        return !labels.properties().stream()
                        .allMatch(e -> now.label(e.getKey()).equals(text(e.getValue())))
                || !annotations.properties().stream()
                        .allMatch(e -> now.annotation(e.getKey()).equals(text(e.getValue())));
    }

    private static Optional<String> text(JsonNode value) {
        return Optional.of(value.asText());
    }

    private static String workers(
            FlinkResource now, int workers, ObjectNode job, ObjectNode annotations) {
        if (workers == 0) {
            if (now.isSuspended()) {
                return null;
            }
            job.put("state", "suspended");
            annotations.put(Keys.WAITING, "true");
            return "Suspended";
        }
        if (now.isSuspended()) {
            job.put("state", "running");
            job.put("parallelism", workers);
            annotations.putNull(Keys.WAITING);
            return "Started";
        }
        if (now.annotation(Keys.WAITING).isPresent()) {
            annotations.putNull(Keys.WAITING);
        }
        if (workers == now.parallelism()) {
            return null;
        }
        job.put("parallelism", workers);
        return workers > now.parallelism() ? "ScaledUp" : "ScaledDown";
    }
}
