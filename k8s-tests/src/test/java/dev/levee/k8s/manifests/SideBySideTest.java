package dev.levee.k8s.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.levee.k8s.rest.Await;
import dev.levee.k8s.rest.FlinkRest;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;

import org.apache.flink.kubernetes.operator.api.AbstractFlinkResource;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;
import org.apache.flink.kubernetes.operator.api.FlinkSessionJob;
import org.apache.flink.kubernetes.operator.api.status.JobManagerDeploymentStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The operator itself and Levee on one API server, and a real Flink cluster in the place of the
 * session cluster's pods.
 */
@Tag("cluster")
class SideBySideTest {
    private static final String NAMESPACE = "levee";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir private Path directory;

    @Test
    void theOperatorRunsTheManifestsAndTakesUpChangesOfParallelism() throws Exception {
        Map<String, String> home = Map.of("LEVEE_HOME", directory.toString());
        try (ApiServer server = ApiServer.start()) {
            URI flink = startFlink(home);
            try (OlderRest rest = OlderRest.before(flink);
                    TestProcess operator = startOperator(server)) {
                check(server.client(), new FlinkRest(flink), rest.port(), operator);
            }
        } finally {
            levee("stop", home, "cluster", "stop").awaitSuccess();
        }
    }

    private TestProcess startOperator(ApiServer server) throws IOException {
        return Operator.start(
                server.address(),
                NAMESPACE,
                directory,
                "127.0.0.1 localhost session-cluster-rest.levee\n");
    }

    private void check(KubernetesClient api, FlinkRest flink, int port, TestProcess operator)
            throws IOException {
        create(api, deployment("session-cluster", port));
        create(api, deployment("training-job", port));
        create(api, sessionJob());

        await(operator, () -> deployed(api, "session-cluster"));
        assertThat(api.apps().deployments().inNamespace(NAMESPACE).list().getItems())
                .extracting(each -> each.getMetadata().getName())
                .contains("session-cluster", "session-cluster-taskmanager", "training-job");

        await(operator, () -> runningWith(flink, 2));
        await(operator, () -> settledOn(api, 2));

        api.resources(FlinkSessionJob.class)
                .inNamespace(NAMESPACE)
                .withName("session-job")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"job\":{\"parallelism\":3}}}");

        await(operator, () -> runningWith(flink, 3));
        await(operator, () -> settledOn(api, 3));
    }

    private static void create(KubernetesClient api, JsonNode resource) {
        HasMetadata created = Serialization.unmarshal(resource.toString());
        api.resource(created).inNamespace(NAMESPACE).create();
    }

    private static JsonNode deployment(String name, int port) {
        JsonNode written = Manifests.source("FlinkDeployment", name).content();
        JsonNode deployment = Kinds.rewritten(written, Kinds.newestVersion());
        ((ObjectNode) deployment.at("/spec/flinkConfiguration"))
                .put("rest.port", Integer.toString(port));
        return deployment;
    }

    /** Its jar is a file, as no repository serves it here; what it writes stays in the test. */
    private JsonNode sessionJob() throws IOException {
        String written = Manifests.source("FlinkSessionJob", "session-job").content().toString();
        ObjectNode job =
                (ObjectNode) JSON.readTree(written.replace("/levee/state", directory.toString()));
        ((ObjectNode) job.at("/spec/job"))
                .put(
                        "jarURI",
                        Manifests.HOME.resolve("jobs/target/levee-jobs.jar").toUri().toString());
        return job;
    }

    private static boolean deployed(KubernetesClient api, String name) {
        FlinkDeployment deployment =
                api.resources(FlinkDeployment.class).inNamespace(NAMESPACE).withName(name).get();
        return deployment.getStatus() != null
                && deployment.getStatus().getJobManagerDeploymentStatus()
                        == JobManagerDeploymentStatus.READY;
    }

    private static boolean runningWith(FlinkRest flink, int parallelism) throws IOException {
        for (JsonNode job : flink.get("/jobs/overview").path("jobs")) {
            if (job.path("state").asText().equals("RUNNING")
                    && parallelism
                            == flink.get("/jobs/" + job.path("jid").asText() + "/config")
                                    .at("/execution-config/job-parallelism")
                                    .asInt()) {
                return true;
            }
        }
        return false;
    }

    private static boolean settledOn(KubernetesClient api, int parallelism) {
        FlinkSessionJob job =
                api.resources(FlinkSessionJob.class)
                        .inNamespace(NAMESPACE)
                        .withName("session-job")
                        .get();
        return "RUNNING".equals(job.getStatus().getJobStatus().getState())
                && reconciled(job) == parallelism;
    }

    private static int reconciled(AbstractFlinkResource<?, ?> resource) {
        return resource.getStatus()
                .getReconciliationStatus()
                .deserializeLastReconciledSpec()
                .getJob()
                .getParallelism();
    }

    private static void await(TestProcess operator, Await.Condition condition) {
        boolean holds = Await.until(PATIENCE, () -> !operator.alive() || condition.holds());
        assertThat(holds && operator.alive()).as("the operator said%n%s", operator.said()).isTrue();
    }

    private URI startFlink(Map<String, String> home) throws IOException, InterruptedException {
        TestProcess start =
                levee(
                        "start",
                        home,
                        "cluster",
                        "start",
                        "--port=0",
                        "--heap=256",
                        "--taskmanagers=1",
                        "--slots=4",
                        "-Dexecution.checkpointing.savepoint-dir="
                                + directory.resolve("savepoints").toUri());
        start.awaitSuccess();
        Matcher address = Pattern.compile("http://[0-9.]+:\\d+").matcher(start.said());
        assertThat(address.find()).as(start.said()).isTrue();
        return URI.create(address.group());
    }

    private TestProcess levee(String name, Map<String, String> home, String... arguments)
            throws IOException {
        return TestProcess.levee(directory.resolve(name + ".out"), home, arguments);
    }
}
