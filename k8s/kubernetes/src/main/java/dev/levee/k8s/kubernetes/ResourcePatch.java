package dev.levee.k8s.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.levee.k8s.allocator.Decision;

import java.util.Optional;

/**
 * The change of a resource by a decision.
 *
 * @param json a JSON merge patch that is only accepted for the resource version that it was made
 *     for
 * @param reason reason of the Event; empty if only labels and annotations for people change
 */
record ResourcePatch(ObjectNode json, Optional<String> reason) {
    /** The patch of a resource that runs or waits; empty if nothing changes. */
    static Optional<ResourcePatch> of(ObservedResource seen, FlinkResource now, Decision decision) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ObjectNode metadata = json.putObject("metadata");
        boolean told = tell(seen, now, decision, metadata);
        Optional<String> reason = rescale(now, decision.workers(), json, metadata);
        metadata.put("resourceVersion", now.version());
        return told && reason.isEmpty()
                ? Optional.empty()
                : Optional.of(new ResourcePatch(json, reason));
    }

    /**
     * Adds labels and annotations for people.
     *
     * @return true if the resource has them already
     */
    private static boolean tell(
            ObservedResource seen, FlinkResource now, Decision decision, ObjectNode metadata) {
        ObjectNode labels = metadata.putObject("labels");
        ObjectNode annotations = metadata.putObject("annotations");
        labels.put(Keys.WORKERS, Integer.toString(decision.workers()));
        annotations.put(Keys.REASON, decision.why());
        if (seen.kind() == ObservedResource.Kind.RUNNING) {
            labels.put(Keys.BATCH_SIZE, Integer.toString(decision.localBatch()));
            annotations.put(
                    Keys.LAST_RUN, ResourceBounds.toJson(seen.observation().spec().bounds()));
        }
        return labels.properties().stream()
                        .allMatch(
                                label ->
                                        now.label(label.getKey())
                                                .equals(Optional.of(label.getValue().asText())))
                && annotations.properties().stream()
                        .allMatch(
                                note ->
                                        now.annotation(note.getKey())
                                                .equals(Optional.of(note.getValue().asText())));
    }

    private static Optional<String> rescale(
            FlinkResource now, int workers, ObjectNode json, ObjectNode metadata) {
        ObjectNode annotations = (ObjectNode) metadata.get("annotations");
        if (workers == 0) {
            if (now.isSuspended()) {
                return Optional.empty();
            }
            annotations.put(Keys.WAITING, "true");
            job(json).put("state", "suspended");
            return Optional.of("Suspended");
        }
        if (now.annotation(Keys.WAITING).isPresent()) {
            annotations.putNull(Keys.WAITING);
        }
        if (now.isSuspended()) {
            job(json).put("state", "running").put("parallelism", workers);
            return Optional.of("Started");
        }
        if (workers == now.parallelism()) {
            return Optional.empty();
        }
        job(json).put("parallelism", workers);
        return Optional.of(workers > now.parallelism() ? "ScaledUp" : "ScaledDown");
    }

    private static ObjectNode job(ObjectNode json) {
        return json.putObject("spec").putObject("job");
    }
}
