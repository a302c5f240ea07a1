package dev.levee.k8s.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A FlinkDeployment or a FlinkSessionJob, as read from the API server.
 *
 * @param kind the kind of the resource
 * @param json the whole resource
 */
public record FlinkResource(Kind kind, JsonNode json) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Lifecycle states in which the operator has nothing to do. */
    private static final Set<String> SETTLED = Set.of("STABLE", "SUSPENDED");

    private static final Set<String> RUNNING = Set.of("RUNNING", "RESTARTING");

    /** The kinds of resource that a job can be. */
    public enum Kind {
        /** A cluster for one job (application mode), or a session cluster. */
        FLINK_DEPLOYMENT("FlinkDeployment", "flinkdeployments"),
        /** A job on a session cluster. */
        FLINK_SESSION_JOB("FlinkSessionJob", "flinksessionjobs");

        private final String title;
        private final String plural;

        Kind(String title, String plural) {
            this.title = title;
            this.plural = plural;
        }

        /** The {@code kind:} of a manifest. */
        public String title() {
            return title;
        }

        /** The plural name, as in paths of the API. */
        public String plural() {
            return plural;
        }

        ResourceDefinitionContext context() {
            return new ResourceDefinitionContext.Builder()
                    .withGroup("flink.apache.org")
                    .withVersion("v1beta1")
                    .withKind(title)
                    .withPlural(plural)
                    .withNamespaced(true)
                    .build();
        }
    }

    static FlinkResource of(Kind kind, GenericKubernetesResource resource) {
        return new FlinkResource(kind, JSON.valueToTree(resource));
    }

    /**
     * The name by which decisions refer to this resource. It stays the same if the resource is
     * created again.
     */
    public String id() {
        return namespace() + (kind == Kind.FLINK_DEPLOYMENT ? "/" : "/session-job/") + name();
    }

    /** The resource's namespace. */
    public String namespace() {
        return json.at("/metadata/namespace").asText();
    }

    /** The resource's name. */
    public String name() {
        return json.at("/metadata/name").asText();
    }

    String uid() {
        return json.at("/metadata/uid").asText();
    }

    String version() {
        return json.at("/metadata/resourceVersion").asText();
    }

    long generation() {
        return json.at("/metadata/generation").asLong();
    }

    Instant created() {
        return Instant.parse(json.at("/metadata/creationTimestamp").asText());
    }

    /** Value of an annotation; empty if it is missing. */
    public Optional<String> annotation(String key) {
        return text("annotations", key);
    }

    Optional<String> label(String key) {
        return text("labels", key);
    }

    private Optional<String> text(String field, String key) {
        JsonNode value = json.path("metadata").path(field).path(key);
        return value.isTextual() ? Optional.of(value.asText()) : Optional.empty();
    }

    /** Name of the deployment whose JobManager runs the job. */
    public String deployment() {
        return kind == Kind.FLINK_DEPLOYMENT ? name() : json.at("/spec/deploymentName").asText();
    }

    /** True if the resource is a job. A session cluster is not: it runs other resources' jobs. */
    boolean isJob() {
        return json.at("/spec/job").isObject();
    }

    boolean isSuspended() {
        return json.at("/spec/job/state").asText().equals("suspended");
    }

    int parallelism() {
        return Math.max(1, json.at("/spec/job/parallelism").asInt(1));
    }

    /** True if the job loses its state when its specification changes. */
    boolean forgetsState() {
        return json.at("/spec/job/upgradeMode").asText("stateless").equals("stateless");
    }

    /**
     * True if the deployment has a fixed number of TaskManagers, which does not depend on its jobs.
     */
    boolean isStandalone() {
        return json.at("/spec/mode").asText().equals("standalone");
    }

    /** The job's id in Flink; empty until the operator has submitted the job. */
    Optional<String> jobId() {
        return Optional.of(json.at("/status/jobStatus/jobId").asText()).filter(id -> !id.isEmpty());
    }

    String jobState() {
        return json.at("/status/jobStatus/state").asText();
    }

    boolean isRunning() {
        return RUNNING.contains(jobState());
    }

    boolean hasEverRun() {
        return json.at("/status/reconciliationStatus/lastReconciledSpec").isTextual();
    }

    String lifecycle() {
        return json.at("/status/lifecycleState").asText();
    }

    /**
     * True if the operator has carried out the current specification and has nothing left to do.
     */
    boolean isSettled() {
        if (json.at("/metadata/deletionTimestamp").isTextual()) {
            return false;
        }
        if (isSuspended() && !hasEverRun()) {
            return true;
        }
        return isReconciled()
                && (SETTLED.contains(lifecycle()) || lifecycle().equals("DEPLOYED") && isRunning());
    }

    /** True if the operator has observed and deployed the current specification. */
    boolean isReconciled() {
        return json.at("/status/reconciliationStatus/state").asText().equals("DEPLOYED")
                && isObserved();
    }

    private boolean isObserved() {
        JsonNode generation = json.at("/status/observedGeneration");
        if (generation.isNumber()) {
            return generation.asLong() == generation();
        }
        // Older operators report only the specification that they carried out last.
        JsonNode job = lastReconciled().at("/spec/job");
        return job.path("parallelism").asInt() == parallelism()
                && job.path("state").asText("running").equalsIgnoreCase("suspended")
                        == isSuspended();
    }

    private JsonNode lastReconciled() {
        try {
            return JSON.readTree(
                    json.at("/status/reconciliationStatus/lastReconciledSpec").asText());
        } catch (JsonProcessingException e) {
            return JSON.createObjectNode();
        }
    }

    @Override
    public String toString() {
        return kind.title + " " + namespace() + "/" + name();
    }
}
