package dev.levee.k8s.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.levee.k8s.flink.rest.Await;
import dev.levee.k8s.flink.rest.FlinkRest;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;

import org.apache.flink.kubernetes.operator.api.AbstractFlinkResource;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;
import org.apache.flink.kubernetes.operator.api.FlinkSessionJob;
import org.apache.flink.kubernetes.operator.api.status.JobManagerDeploymentStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The operator itself and Levee on one API server, and a real Flink cluster in the place of the
 * session cluster's pods.
 */
@Tag("cluster")
class SideBySideTest {
    private static final String NAMESPACE = "levee";
    private static final String ALLOCATOR = "token-of-the-allocator";
    private static final int START = 2;
    private static final int SLOTS = 4;
    private static final int PORTS = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir private Path directory;
    private int metrics;

    @Test
    void theOperatorRunsTheManifestsAndCarriesOutWhatTheAllocatorDecides() throws Exception {
        Map<String, String> home = Map.of("LEVEE_HOME", directory.toString());
        try (ApiServer server = ApiServer.start()) {
            URI flink = startFlink(home);
            try (OlderRest rest = OlderRest.before(flink);
                    TestProcess operator = startOperator(server)) {
                check(server.client(), new FlinkRest(flink), rest.port(), operator);
                checkRights(server);
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
            throws IOException, InterruptedException {
        create(api, sessionCluster(flink, port));
        create(api, trainingJob());
        create(api, sessionJob(flink));

        await(operator, () -> ready(api, "session-cluster"));
        assertThat(api.apps().deployments().inNamespace(NAMESPACE).list().getItems())
                .extracting(each -> each.getMetadata().getName())
                .contains("session-cluster", "session-cluster-taskmanager", "training-job");
        await(operator, () -> runningWith(flink, START));
        await(operator, () -> settledOn(api, START));

        try (TestProcess allocator = startAllocator(api)) {
            await(operator, () -> runningWith(flink, SLOTS));
            await(operator, () -> settledOn(api, SLOTS));

            FlinkSessionJob settled = job(api);
            int decisions = decisions(allocator);
            await(operator, () -> decisions(allocator) >= decisions + 2);
            assertThat(job(api).getMetadata().getGeneration())
                    .as(
                            "nobody changes the specification again; the allocator said%n%s",
                            allocator.said())
                    .isEqualTo(settled.getMetadata().getGeneration());
            assertThat(job(api).getStatus().getJobStatus().getJobId())
                    .isEqualTo(settled.getStatus().getJobStatus().getJobId());
        }
        await(operator, () -> missingMetrics().isEmpty());
    }

    /** What the dashboard shows and Flink's processes do not tell Prometheus. */
    private Set<String> missingMetrics() throws IOException {
        Set<String> missing = DashboardTest.metrics();
        // Nobody lies here, and what did not happen is not counted.
        missing.remove("flink_taskmanager_job_task_operator_worker_reason_rejected");
        for (int port = metrics; port < metrics + PORTS; port++) {
            try {
                String scraped = scraped(port);
                missing.removeIf(metric -> scraped.contains("\n" + metric + "{"));
            } catch (IOException e) {
                // Somebody else's port, or nobody's: there are two processes and more ports.
            }
        }
        return missing;
    }

    private static String scraped(int port) throws IOException {
        URLConnection connection =
                URI.create("http://127.0.0.1:" + port + "/metrics").toURL().openConnection();
        connection.setConnectTimeout(5_000);
        connection.setReadTimeout(5_000);
        try (InputStream metrics = connection.getInputStream()) {
            return new String(metrics.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    /** No FlinkDeployment with a job takes part here, so of its rights one is not used. */
    private static void checkRights(ApiServer server) throws InterruptedException {
        Set<String> allowed = Rights.of(Manifests.source("Role", "levee-allocator").content());
        Set<String> used = server.rightsUsed(ALLOCATOR);
        used.add("patch flinkdeployments.flink.apache.org");
        assertThat(used).containsExactlyInAnyOrderElementsOf(allowed);
    }

    private TestProcess startAllocator(KubernetesClient api) throws IOException {
        return TestProcess.levee(
                directory.resolve("allocator.out"),
                Map.of(
                        "KUBERNETES_MASTER",
                        api.getMasterUrl().toString(),
                        "KUBERNETES_AUTH_TRYKUBECONFIG",
                        "false",
                        "KUBERNETES_AUTH_TOKEN",
                        ALLOCATOR),
                "allocate",
                "--kubernetes",
                "--namespace=" + NAMESPACE,
                // Gives all there is, whether it brings anything on this machine or not.
                "--policy=era-curve",
                "--measure-every=1s",
                "--decide-every=2s",
                "--explain");
    }

    private static int decisions(TestProcess allocator) {
        return allocator.said().split("session-job", -1).length;
    }

    private static void create(KubernetesClient api, JsonNode resource) {
        HasMetadata created = Serialization.unmarshal(resource.toString());
        api.resource(created).inNamespace(NAMESPACE).create();
    }

    /** Its REST service is the cluster's here, which has no pods. */
    private JsonNode sessionCluster(FlinkRest flink, int port) throws IOException {
        JsonNode written = here(Manifests.source("FlinkDeployment", "session-cluster"));
        JsonNode deployment = Kinds.rewritten(written, Kinds.newestVersion());
        ((ObjectNode) deployment.at("/spec/flinkConfiguration"))
                .put("rest.port", Integer.toString(port));
        annotate(deployment, flink);
        return deployment;
    }

    /** It has no pods here, so it never runs, and is no matter for the allocator. */
    private static JsonNode trainingJob() {
        JsonNode written = Manifests.source("FlinkDeployment", "training-job").content();
        JsonNode deployment = Kinds.rewritten(written, Kinds.newestVersion());
        ((ObjectNode) deployment.get("metadata")).remove("labels");
        return deployment;
    }

    /** Its jar is a file, as no repository serves it here; what it writes stays in the test. */
    private JsonNode sessionJob(FlinkRest flink) throws IOException {
        JsonNode job = here(Manifests.source("FlinkSessionJob", "session-job"));
        ((ObjectNode) job.at("/spec/job"))
                .put(
                        "jarURI",
                        Manifests.HOME.resolve("jobs/target/levee-jobs.jar").toUri().toString());
        annotate(job, flink);
        return job;
    }

    /** With state in the directory of the test, and rounds enough for all of it. */
    private JsonNode here(Manifests.Resource resource) throws IOException {
        return JSON.readTree(
                resource.content()
                        .toString()
                        .replace("/levee/state", directory.toString())
                        .replace("/levee/control", directory.toString())
                        .replace("--rounds=2000", "--rounds=1000000"));
    }

    private static void annotate(JsonNode resource, FlinkRest flink) {
        ((ObjectNode) resource.get("metadata"))
                .putObject("annotations")
                .put("levee.dev/rest", flink.address().toString());
    }

    private static boolean ready(KubernetesClient api, String name) {
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
        FlinkSessionJob job = job(api);
        return "RUNNING".equals(job.getStatus().getJobStatus().getState())
                && reconciled(job) == parallelism;
    }

    private static FlinkSessionJob job(KubernetesClient api) {
        return api.resources(FlinkSessionJob.class)
                .inNamespace(NAMESPACE)
                .withName("session-job")
                .get();
    }

    private static int reconciled(AbstractFlinkResource<?, ?> resource) {
        return resource.getStatus()
                .getReconciliationStatus()
                .deserializeLastReconciledSpec()
                .getJob()
                .getParallelism();
    }

    private static void await(TestProcess process, Await.Condition condition) {
        boolean holds = Await.until(PATIENCE, () -> !process.alive() || condition.holds());
        assertThat(holds && process.alive()).as("the operator said%n%s", process.said()).isTrue();
    }

    private URI startFlink(Map<String, String> home) throws IOException, InterruptedException {
        metrics = freePort();
        TestProcess start =
                levee(
                        "start",
                        home,
                        "cluster",
                        "start",
                        "--port=0",
                        "--heap=256",
                        "--taskmanagers=1",
                        "--slots=" + SLOTS,
                        "-Dmetrics.reporter.prom.factory.class="
                                + "org.apache.flink.metrics.prometheus.PrometheusReporterFactory",
                        "-Dmetrics.reporter.prom.port=" + metrics + "-" + (metrics + PORTS - 1),
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
