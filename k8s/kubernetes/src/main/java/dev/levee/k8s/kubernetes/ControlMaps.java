package dev.levee.k8s.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.k8s.flink.BatchControl;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * Reads and writes the ConfigMap of each job that mirrors batch decisions, for its pods to mount
 * and for people to read. Kubernetes deletes the ConfigMap together with the job's resource.
 */
final class ControlMaps {
    private static final String FILE = "control.json";
    private static final String RESOURCE = "configmaps";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Api api;

    /** Thrown if the ConfigMap belongs to another resource. */
    static final class TakenException extends IOException {
        private static final long serialVersionUID = 1;

        private TakenException(String sentence) {
            super(sentence);
        }
    }

    ControlMaps(Api api) {
        this.api = api;
    }

    static String name(FlinkResource resource) {
        return resource.name() + "-levee-control";
    }

    /**
     * Reads the control of a job; empty if there is none.
     *
     * @throws TakenException if the ConfigMap belongs to another resource
     */
    Optional<BatchControl> read(FlinkResource resource) throws IOException {
        return find(resource).flatMap(ControlMaps::parse);
    }

    /**
     * Replaces an older decision.
     *
     * @return false if the decision has not changed
     * @throws TakenException if the ConfigMap belongs to another resource
     * @throws IOException if the existing decision is newer, or another writer changes it at the
     *     same time
     */
    boolean write(FlinkResource resource, BatchControl control) throws IOException {
        Optional<ConfigMap> there = find(resource);
        Optional<BatchControl> before = there.flatMap(ControlMaps::parse);
        if (before.isPresent() && agree(before.get(), control)) {
            return false;
        }
        if (before.isPresent() && before.get().timestamp() >= control.timestamp()) {
            throw new IOException(
                    "ConfigMap %s/%s is from %d ms in the future: another allocator is running, or a clock is wrong"
                            .formatted(
                                    resource.namespace(),
                                    name(resource),
                                    before.get().timestamp() - control.timestamp()));
        }
        ConfigMap written = build(resource, control, there);
        String namespace = resource.namespace();
        if (there.isPresent()) {
            api.call("update", RESOURCE, namespace, () -> api.client().resource(written).update());
        } else {
            api.call("create", RESOURCE, namespace, () -> api.client().resource(written).create());
        }
        return true;
    }

    /** Parses a decision; empty if it is invalid, for example after manual editing. */
    private static Optional<BatchControl> parse(ConfigMap map) {
        try {
            String text = map.getData() == null ? null : map.getData().get(FILE);
            return text == null
                    ? Optional.empty()
                    : Optional.of(JSON.readValue(text, BatchControl.class));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /** True if both controls are equal except for their timestamps. */
    static boolean agree(BatchControl a, BatchControl b) {
        return a.batchSize() == b.batchSize()
                && a.maxBatchSize() == b.maxBatchSize()
                && a.workers() == b.workers()
                && Double.compare(a.learningRate(), b.learningRate()) == 0; // tasks have none
    }

    private Optional<ConfigMap> find(FlinkResource resource) throws IOException {
        ConfigMap map =
                api.call(
                        "get",
                        RESOURCE,
                        resource.namespace(),
                        () ->
                                api.client()
                                        .configMaps()
                                        .inNamespace(resource.namespace())
                                        .withName(name(resource))
                                        .get());
        if (map == null) {
            return Optional.empty();
        }
        for (OwnerReference owner : map.getMetadata().getOwnerReferences()) {
            if (!owner.getUid().equals(resource.uid())) {
                throw new TakenException(
                        "its batch stays the same: ConfigMap %s/%s belongs to the %s %s; rename one of the two"
                                .formatted(
                                        resource.namespace(),
                                        name(resource),
                                        owner.getKind(),
                                        owner.getName()));
            }
        }
        return Optional.of(map);
    }

    private static ConfigMap build(
            FlinkResource resource, BatchControl control, Optional<ConfigMap> before) {
        // The version that was read makes this write fail after another one.
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name(resource))
                .withNamespace(resource.namespace())
                .withResourceVersion(
                        before.map(map -> map.getMetadata().getResourceVersion()).orElse(null))
                .withLabels(
                        Map.of(
                                "app.kubernetes.io/managed-by",
                                "levee",
                                "app.kubernetes.io/instance",
                                resource.name()))
                .withOwnerReferences(owner(resource))
                .endMetadata()
                .withData(
                        Map.of(
                                FILE,
                                control.json(),
                                "batch-size",
                                Integer.toString(control.batchSize()),
                                "max-batch-size",
                                Integer.toString(control.maxBatchSize()),
                                "timestamp",
                                Long.toString(control.timestamp())))
                .build();
    }

    private static OwnerReference owner(FlinkResource resource) {
        return new OwnerReferenceBuilder()
                .withApiVersion("flink.apache.org/v1beta1")
                .withKind(resource.kind().title())
                .withName(resource.name())
                .withUid(resource.uid())
                .build();
    }
}
