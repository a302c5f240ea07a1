package dev.levee.k8s.kubernetes;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;

/**
 * Makes resources, and writes the status that the Flink Kubernetes Operator would.
 *
 * @param newer true if it says which generation of a specification it has seen
 */
record OperatorStandIn(KubernetesClient client, String namespace, boolean newer) {
    OperatorStandIn(KubernetesClient client, String namespace) {
        this(client, namespace, true);
    }

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    Resource<GenericKubernetesResource> resource(FlinkResource.Kind kind, String name) {
        return client.genericKubernetesResources(kind.context())
                .inNamespace(namespace)
                .withName(name);
    }

    FlinkResource get(FlinkResource.Kind kind, String name) {
        return FlinkResource.of(kind, resource(kind, name).get());
    }

    FlinkResource get(String name) {
        return get(FlinkResource.Kind.FLINK_DEPLOYMENT, name);
    }

    /** Applies a manifest. */
    void create(String yaml) {
        client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .inNamespace(namespace)
                .create();
    }

    /** A deployment that takes part. */
    void deployment(String name, String state, int parallelism, String upgradeMode, String rest) {
        create(
                """
                apiVersion: flink.apache.org/v1beta1
                kind: FlinkDeployment
                metadata:
                  name: %s
                  labels: {levee.dev/elastic: "true"}
                  annotations: {levee.dev/rest: "%s"}
                spec:
                  flinkVersion: v1_20
                  flinkConfiguration: {taskmanager.numberOfTaskSlots: "1"}
                  job: {state: %s, parallelism: %d, upgradeMode: %s}
                """
                        .formatted(name, rest, state, parallelism, upgradeMode));
    }

    /** Merges JSON into a resource. */
    void patch(String name, String json) {
        resource(FlinkResource.Kind.FLINK_DEPLOYMENT, name).patch(MERGE, json);
    }

    /** Says that the present specification is carried out. */
    void carryOut(FlinkResource.Kind kind, String name) {
        FlinkResource now = get(kind, name);
        boolean suspended = now.isSuspended();
        status(
                kind,
                name,
                suspended ? "SUSPENDED" : "STABLE",
                "DEPLOYED",
                suspended ? "FINISHED" : "RUNNING");
    }

    void carryOut(String name) {
        carryOut(FlinkResource.Kind.FLINK_DEPLOYMENT, name);
    }

    /** Writes a status; the job's id is {@code job-} and the name. */
    void status(
            FlinkResource.Kind kind,
            String name,
            String lifecycle,
            String reconciliation,
            String job) {
        GenericKubernetesResource resource = resource(kind, name).get();
        ObjectNode status = JSON.createObjectNode();
        status.put("lifecycleState", lifecycle);
        if (newer) {
            status.put("observedGeneration", resource.getMetadata().getGeneration());
        }
        status.putObject("jobStatus").put("jobId", "job-" + name).put("state", job);
        status.putObject("reconciliationStatus")
                .put("state", reconciliation)
                .put(
                        "lastReconciledSpec",
                        "{\"spec\":" + JSON.valueToTree(resource).get("spec") + "}");
        resource.setAdditionalProperty("status", status);
        client.genericKubernetesResources(kind.context())
                .inNamespace(namespace)
                .resource(resource)
                .updateStatus();
    }
}
