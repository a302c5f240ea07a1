package dev.levee.k8s.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.levee.k8s.allocator.JobPhase;
import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.flink.BatchControl;
import dev.levee.k8s.flink.RecordedFlink;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

class ResourceViewTest {
    private static final URI REST = URI.create("http://jobs-rest:8081");

    private final List<String> said = new ArrayList<>();
    private final ResourceView view = view((rest, job) -> Optional.empty());

    private ResourceView view(Jobs jobs) {
        EventReporter events = new EventReporter(null, Clock.systemUTC(), said::add, true);
        return new ResourceView(jobs, resource -> REST, events);
    }

    /** A resource with three workers whose last specification was carried out. */
    private static FlinkResource resource(
            String state, String reconciled, String lifecycle, String annotations)
            throws IOException {
        String json =
                """
                {"metadata": {"namespace": "training", "name": "digits", "uid": "u",
                              "generation": 2, "creationTimestamp": "2026-01-01T00:00:00Z",
                              "annotations": %s},
                 "spec": {"job": {"state": "%s", "parallelism": 3, "upgradeMode": "savepoint"}},
                 "status": {"observedGeneration": 2, "lifecycleState": "%s",
                            "jobStatus": {"jobId": "job", "state": "RUNNING"},
                            "reconciliationStatus": {"state": "%s", "lastReconciledSpec": "{}"}}}
                """;
        return new FlinkResource(
                FlinkResource.Kind.FLINK_DEPLOYMENT,
                new ObjectMapper()
                        .readTree(json.formatted(annotations, state, lifecycle, reconciled)));
    }

    @Test
    void aJobKeepsItsWorkersUntilTheOperatorHasSuspendedIt() throws IOException {
        for (String annotations : List.of("{}", "{\"levee.dev/waiting\": \"true\"}")) {
            ObservedResource seen =
                    view.see(resource("suspended", "UPGRADING", "UPGRADING", annotations))
                            .orElseThrow();
            assertThat(seen.kind()).isEqualTo(ObservedResource.Kind.HELD);
            assertThat(seen.observation()).extracting(Observation::workers).isEqualTo(3);
        }
        ObservedResource seen =
                view.see(
                                resource(
                                        "suspended",
                                        "DEPLOYED",
                                        "SUSPENDED",
                                        "{\"levee.dev/waiting\": \"true\"}"))
                        .orElseThrow();
        assertThat(seen.kind()).isEqualTo(ObservedResource.Kind.WAITING);
        assertThat(said).isEmpty();
    }

    @Test
    void aFailedJobDoesNotWaitThoughItIsSuspended() throws IOException {
        for (String annotations : List.of("{}", "{\"levee.dev/waiting\": \"true\"}")) {
            FlinkResource failed = resource("suspended", "DEPLOYED", "FAILED", annotations);
            FlinkResource suspended = resource("suspended", "DEPLOYED", "SUSPENDED", annotations);
            ((ObjectNode) suspended.json().at("/status/jobStatus")).put("state", "FAILED");
            FlinkResource refused = resource("suspended", "UPGRADING", "FAILED", annotations);
            ((ObjectNode) refused.json().at("/status/reconciliationStatus"))
                    .remove("lastReconciledSpec");
            for (FlinkResource each : List.of(failed, suspended, refused)) {
                ObservedResource seen = view.see(each).orElseThrow();
                assertThat(seen.kind()).isEqualTo(ObservedResource.Kind.OVER);
                assertThat(seen.needsRoom()).isFalse();
                assertThat(seen.observation().phase()).isEqualTo(JobPhase.FAILED);
            }
        }
        assertThat(said)
                .containsOnly(
                        "FlinkDeployment training/digits: has failed and does not take part until it runs again",
                        "FlinkDeployment training/digits: was refused by the operator and does not take part until it is corrected");
    }

    /** Each is read only when the other is, too. */
    @Test
    void jobsAreReadAtTheSameTimeAndKeepTheirOrder() throws IOException {
        CountDownLatch both = new CountDownLatch(2);
        Jobs slow =
                (rest, job) -> {
                    both.countDown();
                    try {
                        assertThat(both.await(2, TimeUnit.MINUTES)).isTrue();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    throw new IOException("no answer");
                };
        FlinkResource digits = resource("running", "DEPLOYED", "STABLE", "{}");
        FlinkResource letters =
                new FlinkResource(FlinkResource.Kind.FLINK_SESSION_JOB, digits.json());
        assertThat(view(slow).see(List.of(letters, digits)).values())
                .extracting(ObservedResource::resource, ObservedResource::kind)
                .containsExactly(
                        tuple(letters, ObservedResource.Kind.HELD),
                        tuple(digits, ObservedResource.Kind.HELD));
        assertThat(view.see(List.of())).isEmpty();
    }

    @Test
    void aFailureKeepsItsTypeOnTheWayFromItsThread() throws IOException {
        UncheckedIOException failure = new UncheckedIOException(new IOException("no storage"));
        FlinkResource resource = resource("running", "DEPLOYED", "STABLE", "{}");
        Jobs failing =
                (rest, job) -> {
                    throw failure;
                };
        assertThatThrownBy(() -> view(failing).see(List.of(resource))).isSameAs(failure);
    }

    private static FlinkResource tookPart() throws IOException {
        String lastRun =
                "{\\\"minWorkers\\\":1,\\\"maxWorkers\\\":8,\\\"startWorkers\\\":2,"
                        + "\\\"localBatch\\\":16,\\\"maxGlobalBatch\\\":512,"
                        + "\\\"learningRate\\\":0.1}";
        return resource(
                "running", "DEPLOYED", "STABLE", "{\"levee.dev/last-run\": \"" + lastRun + "\"}");
    }

    @Test
    void aJobThatIsNoLongerElasticIsExplained() throws IOException {
        FlinkResource resource = tookPart();
        ObservedResource seen = view.see(resource).orElseThrow();
        assertThat(seen.kind()).isEqualTo(ObservedResource.Kind.HELD);
        assertThat(seen.observation()).extracting(Observation::workers).isEqualTo(3);
        view.see(resource);
        assertThat(said)
                .containsExactly(
                        "FlinkDeployment training/digits: keeps its workers: Flink at %s has no elastic job job; was it started with --elastic?"
                                .formatted(REST));
    }

    /** As while a new JobManager recovers its jobs. */
    @Test
    void aJobThatFlinkDoesNotKnowIsNotAskedWhetherItIsElastic() throws IOException {
        EventReporter events = new EventReporter(null, Clock.systemUTC(), said::add, true);
        try (RecordedFlink flink = new RecordedFlink()) {
            URI rest = flink.address();
            ResourceView real = new ResourceView(new FlinkJobs(), resource -> rest, events);
            ObservedResource seen = real.see(tookPart()).orElseThrow();
            assertThat(seen.kind()).isEqualTo(ObservedResource.Kind.HELD);
            flink.job("job", "Word count", "RUNNING", 3, Map.of());
            real.see(tookPart());
            String why = "FlinkDeployment training/digits: keeps its workers: Flink at " + rest;
            assertThat(said)
                    .containsExactly(
                            why + " has no job job",
                            why + " has no elastic job job; was it started with --elastic?");
        }
    }

    @Test
    void controlsOfTasksAgreeThoughTheyHaveNoLearningRate() {
        BatchControl control = new BatchControl(1, 1, 0, 4, Double.NaN);
        assertThat(ControlMaps.agree(control, new BatchControl(2, 1, 0, 4, Double.NaN))).isTrue();
        assertThat(ControlMaps.agree(control, new BatchControl(2, 1, 0, 5, Double.NaN))).isFalse();
    }
}
