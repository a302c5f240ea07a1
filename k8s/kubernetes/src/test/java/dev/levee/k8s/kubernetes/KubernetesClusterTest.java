package dev.levee.k8s.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.ElasticAllocator;
import dev.levee.k8s.allocator.InMemoryJobStore;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobPhase;
import dev.levee.k8s.allocator.JobStore;
import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.allocator.policy.Policies;
import dev.levee.k8s.flink.ElasticRequest;
import dev.levee.k8s.flink.RecordedFlink;
import dev.levee.k8s.flink.rest.Await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

@Tag("long")
class KubernetesClusterTest {
    private static final FlinkResource.Kind DEPLOYMENT = FlinkResource.Kind.FLINK_DEPLOYMENT;
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:10Z");
    private static final ElasticRequest REQUEST =
            new ElasticRequest(new JobBounds(1, 8, 2, 16, 512, 0.05), false, 0);

    private final List<String> said = new ArrayList<>();
    private ApiServer server;
    private KubernetesClient client;
    private OperatorStandIn operator;
    private RecordedFlink flink;
    private KubernetesCluster cluster;

    @BeforeEach
    void start() throws IOException {
        server = new ApiServer();
        client = server.client();
        operator = new OperatorStandIn(client, "levee-test");
        flink = new RecordedFlink();
        cluster = watch(ResourceScope.of("levee-test"), NOW);
    }

    private KubernetesCluster watch(ResourceScope scope, Instant now) throws IOException {
        return watch(scope, now, false);
    }

    private KubernetesCluster watch(ResourceScope scope, Instant now, boolean dry)
            throws IOException {
        return watch(scope, Slots.fixed(8), now, dry);
    }

    private KubernetesCluster watch(ResourceScope scope, Slots slots) throws IOException {
        return watch(scope, slots, NOW, false);
    }

    private KubernetesCluster watch(ResourceScope scope, Slots slots, Instant now, boolean dry)
            throws IOException {
        return KubernetesCluster.watch(
                client,
                scope,
                slots,
                new FlinkJobs(),
                KubernetesCluster::restOf,
                Clock.fixed(now, ZoneOffset.UTC),
                said::add,
                dry);
    }

    @AfterEach
    void stop() throws IOException {
        cluster.close();
        flink.close();
        client.close();
        server.close();
    }

    private void running(String name, int parallelism) {
        operator.deployment(name, "running", parallelism, "last-state", flink.address().toString());
        operator.carryOut(name);
        runs(name, parallelism);
    }

    private void runs(String name, int parallelism) {
        flink.job("job-" + name, "Levee", "RUNNING", parallelism, REQUEST.configuration());
        flink.metrics(
                "job-" + name,
                "samples=100 samplesTotal=1000 activeWorkers=%d batchSize=16 learningRateScale=1 samplesPerSecond=80 computeUtilisation=0.5 memoryUtilisation=0.5 outOfMemoryBatch=0 pauseSeconds=NaN controlTimestamp=0"
                        .formatted(parallelism));
    }

    /** Looks until the jobs seen are as wanted: watches tell a little later. */
    private List<Observation> see(Predicate<List<Observation>> wanted) {
        List<Observation> seen = new ArrayList<>();
        boolean good =
                Await.until(
                        Duration.ofMinutes(2),
                        () -> {
                            List<Observation> now = cluster.observe().jobs();
                            seen.clear();
                            seen.addAll(now);
                            return wanted.test(now);
                        });
        assertThat(good).as("seen %s, said %s", seen, said).isTrue();
        return seen;
    }

    private Observation one(Predicate<Observation> wanted) {
        return see(jobs -> jobs.size() == 1 && wanted.test(jobs.get(0))).get(0);
    }

    private static Decision decide(String name, int workers, int batch) {
        return new Decision("levee-test/" + name, workers, batch, 0.1, "because");
    }

    private List<String> events() {
        return client.v1().events().inNamespace("levee-test").list().getItems().stream()
                .map(Event::getReason)
                .toList();
    }

    private ConfigMap control(String name) {
        return client.configMaps()
                .inNamespace("levee-test")
                .withName(name + "-levee-control")
                .get();
    }

    @Test
    void aRunningJobIsSeenWithWhatItAsksFor() {
        running("digits", 2);
        Observation seen = one(job -> job.measurement().isPresent());
        assertThat(seen.phase()).isEqualTo(JobPhase.RUNNING);
        assertThat(seen.workers()).isEqualTo(2);
        assertThat(seen.spec())
                .isEqualTo(
                        REQUEST.spec("levee-test/digits", operator.get("digits").created(), true));
    }

    @Test
    void whatHasNoLabelIsNotTouched() throws IOException {
        running("digits", 2);
        one(job -> job.workers() == 2);
        operator.patch("digits", "{\"metadata\":{\"labels\":{\"levee.dev/elastic\":\"false\"}}}");
        see(List::isEmpty);
        cluster.act(decide("digits", 4, 16));
        assertThat(operator.get("digits").parallelism()).isEqualTo(2);
    }

    @Test
    void workersBecomeParallelismAndPeopleCanReadIt() throws IOException {
        running("digits", 2);
        one(job -> job.workers() == 2);
        cluster.act(decide("digits", 4, 32));
        FlinkResource now = operator.get("digits");
        assertThat(now.parallelism()).isEqualTo(4);
        assertThat(now.label("levee.dev/workers")).contains("4");
        assertThat(now.label("levee.dev/batch-size")).contains("32");
        assertThat(now.annotation("levee.dev/reason")).contains("because");
        assertThat(events()).containsExactlyInAnyOrder("ScaledUp", "BatchChanged");
    }

    @Test
    void aBatchDecisionIsMirroredForThePods() throws IOException {
        running("digits", 2);
        one(job -> job.workers() == 2);
        cluster.act(decide("digits", 4, 32));
        ConfigMap map = control("digits");
        assertThat(map.getData())
                .containsEntry("batch-size", "32")
                .containsEntry("max-batch-size", "0")
                .containsEntry("timestamp", "1767225610000")
                .containsEntry(
                        "control.json",
                        "{\"timestamp\":1767225610000,\"batchSize\":32,\"maxBatchSize\":0,\"workers\":4,\"learningRate\":0.1}");
        assertThat(map.getMetadata().getOwnerReferences().get(0).getUid())
                .isEqualTo(operator.get("digits").uid());
    }

    @Test
    void aDecisionInForceChangesNothing() throws IOException {
        running("digits", 2);
        one(job -> job.workers() == 2);
        cluster.act(decide("digits", 2, 16));
        operator.carryOut("digits");
        String version = operator.get("digits").version();
        one(job -> job.workers() == 2);
        assertThat(Await.until(Duration.ofMinutes(2), () -> settledAt(version))).isTrue();
        cluster.act(decide("digits", 2, 16));
        assertThat(operator.get("digits").version()).isEqualTo(version);
        assertThat(events()).isEmpty();
    }

    private boolean settledAt(String version) throws IOException {
        cluster.observe();
        return operator.get("digits").version().equals(version);
    }

    @Test
    void aJobWithoutWorkersIsSuspendedAndComesBack() throws IOException {
        running("digits", 2);
        one(job -> job.workers() == 2);
        cluster.act(decide("digits", 0, 16));
        assertThat(operator.get("digits").isSuspended()).isTrue();
        operator.carryOut("digits");
        Observation waiting = one(job -> job.phase() == JobPhase.WAITING);
        assertThat(waiting.workers()).isZero();
        assertThat(waiting.spec().bounds().maxWorkers()).isEqualTo(8);
        assertThat(waiting.spec().bounds().maxGlobalBatch()).isEqualTo(512);
        actWhenSeen(decide("digits", 3, 16));
        FlinkResource back = operator.get("digits");
        assertThat(back.isSuspended()).isFalse();
        assertThat(back.parallelism()).isEqualTo(3);
        assertThat(back.annotation(Keys.WAITING)).isEmpty();
        assertThat(events()).contains("Suspended", "Started");
    }

    /** Watches tell a little later that the operator is done. */
    private void actWhenSeen(Decision decision) {
        assertThat(
                        Await.until(
                                Duration.ofMinutes(2),
                                () -> {
                                    cluster.observe();
                                    cluster.act(decision);
                                    return true;
                                }))
                .isTrue();
    }

    @Test
    void aJobMadeToWaitIsStartedWithItsAnnotations() throws IOException {
        operator.deployment("queued", "suspended", 4, "last-state", flink.address().toString());
        operator.patch(
                "queued",
                "{\"metadata\":{\"annotations\":{\"levee.dev/min-workers\":\"2\",\"levee.dev/max-workers\":\"6\"}}}");
        Observation seen = one(job -> job.spec().bounds().maxWorkers() == 6);
        assertThat(seen.phase()).isEqualTo(JobPhase.WAITING);
        assertThat(seen.spec().bounds().minWorkers()).isEqualTo(2);
        assertThat(seen.spec().bounds().startWorkers()).isEqualTo(4);
        cluster.act(decide("queued", 3, 1));
        assertThat(operator.get("queued").parallelism()).isEqualTo(3);
        assertThat(operator.get("queued").isSuspended()).isFalse();
        assertThat(control("queued")).isNull();
    }

    @Test
    void whatSomeoneElseSuspendedStaysSuspended() throws IOException {
        running("digits", 2);
        one(job -> job.workers() == 2);
        operator.patch("digits", "{\"spec\":{\"job\":{\"state\":\"suspended\"}}}");
        operator.carryOut("digits");
        Observation apart = one(job -> job.workers() == 0);
        assertThat(apart.spec().id()).isEqualTo("levee-test/digits");
        assertThat(decisions(List.of(apart))).isEmpty();
        cluster.act(decide("digits", 2, 16));
        assertThat(operator.get("digits").isSuspended()).isTrue();
        assertThat(events()).containsExactly("SuspendedByOthers");
    }

    private static List<Decision> decisions(List<Observation> jobs) {
        return decisions(new InMemoryJobStore(), jobs);
    }

    private static List<Decision> decisions(JobStore store, List<Observation> jobs) {
        ElasticAllocator allocator =
                new ElasticAllocator(
                        Policies.named(Policies.DEFAULT, 240), store, Clock.systemUTC());
        allocator.observe(jobs);
        return allocator.decide(8);
    }

    @Test
    void aChangeByOthersIsNotOverwritten() throws IOException {
        running("digits", 2);
        one(job -> job.workers() == 2);
        operator.patch("digits", "{\"spec\":{\"job\":{\"parallelism\":7}}}");
        assertThatThrownBy(() -> cluster.act(decide("digits", 4, 16)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the next decision includes the change");
        assertThat(operator.get("digits").parallelism()).isEqualTo(7);
    }

    @Test
    void whatTheOperatorIsBusyWithKeepsItsWorkers() throws IOException {
        running("digits", 2);
        one(job -> job.measurement().isPresent());
        operator.patch("digits", "{\"spec\":{\"job\":{\"parallelism\":3}}}");
        operator.status(DEPLOYMENT, "digits", "UPGRADING", "UPGRADING", "RECONCILING");
        Observation held = one(job -> job.workers() == 3);
        assertThat(held.phase()).isEqualTo(JobPhase.RUNNING);
        assertThat(held.spec().bounds().minWorkers()).isEqualTo(3);
        assertThat(held.spec().bounds().maxWorkers()).isEqualTo(3);
        assertThat(held.measurement()).isEmpty();
        String version = operator.get("digits").version();
        cluster.act(decide("digits", 0, 16));
        assertThat(operator.get("digits").version()).isEqualTo(version);
    }

    @Test
    void anOlderOperatorSaysOnlyWhatItCarriedOut() throws IOException {
        operator = new OperatorStandIn(client, "levee-test", false);
        running("digits", 2);
        one(job -> job.measurement().isPresent());
        operator.patch("digits", "{\"spec\":{\"job\":{\"parallelism\":3}}}");
        one(job -> job.spec().bounds().maxWorkers() == 3);
        operator.carryOut("digits");
        one(job -> job.measurement().isPresent());
        cluster.act(decide("digits", 0, 16));
        assertThat(operator.get("digits").isSettled()).isFalse();
        operator.carryOut("digits");
        assertThat(operator.get("digits").isSettled()).isTrue();
    }

    @Test
    void aStatelessJobKeepsItsWorkers() throws IOException {
        operator.deployment("digits", "running", 2, "stateless", flink.address().toString());
        operator.carryOut("digits");
        runs("digits", 2);
        assertThat(one(job -> events().contains("Stateless")).spec().bounds().maxWorkers())
                .isEqualTo(2);
        cluster.act(decide("digits", 0, 16));
        assertThat(operator.get("digits").isSuspended()).isFalse();
        assertThat(said).anyMatch(text -> text.contains("upgradeMode is stateless"));
    }

    @Test
    void aBatchDecisionIsNewerThanTheOneBeforeWhateverTheClockSays() throws IOException {
        running("digits", 2);
        one(job -> job.workers() == 2);
        cluster.act(decide("digits", 2, 32));
        try (KubernetesCluster behind =
                watch(ResourceScope.of("levee-test"), NOW.minusSeconds(60))) {
            behind.observe();
            behind.act(decide("digits", 2, 64));
        }
        assertThat(control("digits").getData())
                .containsEntry("batch-size", "64")
                .containsEntry("timestamp", String.valueOf(NOW.toEpochMilli() + 1));
        try (KubernetesCluster ahead = watch(ResourceScope.of("levee-test"), NOW.plusSeconds(60))) {
            ahead.observe();
            ahead.act(decide("digits", 2, 128));
        }
        assertThat(control("digits").getData())
                .containsEntry("batch-size", "128")
                .containsEntry("timestamp", String.valueOf(NOW.plusSeconds(60).toEpochMilli()));
    }

    @Test
    void rubbishInOneResourceIsSaidOnceAndTheOthersGoOn() {
        running("digits", 2);
        operator.deployment("odd", "suspended", 4, "last-state", flink.address().toString());
        operator.patch(
                "odd", "{\"metadata\":{\"annotations\":{\"levee.dev/max-workers\":\"many\"}}}");
        see(jobs -> jobs.size() == 2 && events().contains("Invalid"));
        List<Observation> seen = see(jobs -> jobs.stream().anyMatch(job -> job.workers() == 2));
        assertThat(decisions(seen)).extracting(Decision::job).containsExactly("levee-test/digits");
        assertThat(events()).containsExactly("Invalid");
        assertThat(said)
                .containsExactly(
                        "FlinkDeployment levee-test/odd: stays as it is: annotation levee.dev/max-workers must be a whole number from 1, got 'many'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"levee.dev/rest|jobs", "levee.dev/last-run|null", "levee.dev/batch|many"})
    void aBrokenResourceKeepsItsWorkersAndItsMemory(String key, String value) throws IOException {
        running("digits", 2);
        running("odd", 3);
        JobStore store = new InMemoryJobStore();
        decisions(store, see(jobs -> jobs.size() == 2));
        annotate("odd", key, value);
        List<Observation> seen = see(jobs -> jobs.size() == 2 && events().contains("Invalid"));
        List<Decision> decisions = decisions(store, seen);
        assertThat(store.jobs()).containsExactlyInAnyOrder("levee-test/digits", "levee-test/odd");
        assertThat(decisions)
                .filteredOn(decision -> decision.job().equals("levee-test/odd"))
                .singleElement()
                .extracting(Decision::workers)
                .isEqualTo(3);
        for (Decision decision : decisions) {
            cluster.act(decision);
        }
        assertThat(operator.get("odd").parallelism()).isEqualTo(3);
        assertThat(operator.get("digits").parallelism()).isEqualTo(5);
    }

    private void annotate(String name, String key, String value) {
        var annotations = JsonNodeFactory.instance.objectNode().put(key, value);
        operator.patch(name, "{\"metadata\":{\"annotations\":" + annotations + "}}");
    }

    @Test
    void aBatchBeyondAllMeasureIsNoOverflow() {
        operator.deployment("huge", "suspended", 4, "last-state", flink.address().toString());
        annotate("huge", "levee.dev/batch", "2147483647");
        assertThat(
                        one(job -> job.spec().bounds().localBatch() > 1)
                                .spec()
                                .bounds()
                                .maxGlobalBatch())
                .isEqualTo(4L * Integer.MAX_VALUE);
    }

    @Test
    void aJobThatEndedNeedsNoRoom() throws IOException {
        operator.deployment("ended", "running", 2, "last-state", flink.address().toString());
        operator.status(DEPLOYMENT, "ended", "STABLE", "DEPLOYED", "FINISHED");
        cluster.close();
        cluster =
                watch(
                        ResourceScope.of("levee-test"),
                        new SessionSlots(client, KubernetesCluster::restOf));
        assertThat(one(job -> job.phase() == JobPhase.FINISHED).workers()).isZero();
    }

    @Test
    void theConfigMapOfAnotherIsNotWritten() throws IOException {
        running("digits", 2);
        one(job -> job.workers() == 2);
        cluster.act(decide("digits", 2, 32));
        sessionJob("digits");
        see(jobs -> jobs.size() == 2 && jobs.get(1).measurement().isPresent());
        cluster.act(new Decision("levee-test/session-job/digits", 2, 64, 0.1, "because"));
        see(jobs -> jobs.size() == 2 && jobs.get(1).measurement().isPresent());
        actWhenSeen(new Decision("levee-test/session-job/digits", 2, 64, 0.1, "because"));
        assertThat(control("digits").getData()).containsEntry("batch-size", "32");
        assertThat(events()).filteredOn("BatchKept"::equals).hasSize(1);
        assertThat(said)
                .contains(
                        "FlinkSessionJob levee-test/digits: its batch stays the same: ConfigMap levee-test/digits-levee-control belongs to the FlinkDeployment digits; rename one of the two");
    }

    @Test
    void whatIsGoneIsForgotten() {
        running("digits", 2);
        flink.metrics("job-digits", "activeWorkers=2 batchSize=16 pauseSeconds=5");
        one(job -> job.lastPauseSeconds() == 5);
        operator.resource(DEPLOYMENT, "digits").delete();
        see(List::isEmpty);
        running("digits", 2);
        assertThat(one(job -> job.measurement().isPresent()).lastPauseSeconds()).isNaN();
    }

    @Test
    void anAddressThatIsNoneIsOneSentence() {
        operator.deployment("digits", "running", 2, "last-state", "jobs");
        operator.carryOut("digits");
        see(jobs -> !said.isEmpty());
        assertThat(said)
                .containsExactly(
                        "FlinkDeployment levee-test/digits: stays as it is: annotation levee.dev/rest must be an address such as http://jobs-rest.training:8081, got 'jobs'");
    }

    @Test
    void aDeletedResourceIsGone() throws IOException {
        running("digits", 2);
        one(job -> job.workers() == 2);
        operator.resource(DEPLOYMENT, "digits").delete();
        see(List::isEmpty);
        cluster.act(decide("digits", 4, 16));
    }

    @Test
    void aJobOnASessionClusterIsReadThere() throws IOException {
        sessionJob("digits");
        one(job -> job.measurement().isPresent());
        cluster.act(new Decision("levee-test/session-job/digits", 4, 16, 0.1, "because"));
        assertThat(operator.get(FlinkResource.Kind.FLINK_SESSION_JOB, "digits").parallelism())
                .isEqualTo(4);
    }

    private void sessionJob(String name) {
        operator.create(
                """
                apiVersion: flink.apache.org/v1beta1
                kind: FlinkSessionJob
                metadata:
                  name: %s
                  labels: {levee.dev/elastic: "true"}
                  annotations: {levee.dev/rest: "%s"}
                spec:
                  deploymentName: session
                  job: {jarURI: "local:///levee.jar", state: running, parallelism: 2, upgradeMode: savepoint}
                """
                        .formatted(name, flink.address()));
        operator.carryOut(FlinkResource.Kind.FLINK_SESSION_JOB, name);
        runs(name, 2);
    }

    @Test
    void theOperatorsAddressIsTheDefault() {
        operator.create(
                """
                apiVersion: flink.apache.org/v1beta1
                kind: FlinkSessionJob
                metadata: {name: digits}
                spec: {deploymentName: session, job: {parallelism: 2}}
                """);
        assertThat(
                        KubernetesCluster.restOf(
                                operator.get(FlinkResource.Kind.FLINK_SESSION_JOB, "digits")))
                .hasToString("http://session-rest.levee-test:8081");
    }

    @Test
    void aSilentJobManagerHoldsOnlyItsOwnJob() {
        running("digits", 2);
        running("letters", 3);
        see(jobs -> jobs.size() == 2 && jobs.get(1).measurement().isPresent());
        flink.fail("/jobs/job-letters", 500);
        List<Observation> seen =
                see(
                        jobs ->
                                jobs.size() == 2
                                        && jobs.stream()
                                                .anyMatch(job -> job.measurement().isEmpty()));
        assertThat(seen)
                .anyMatch(job -> job.spec().bounds().maxWorkers() == 3 && job.workers() == 3);
        assertThat(events()).containsExactly("NoAnswer");
    }

    @Test
    void anApiServerThatGoesAwayIsWaitedFor() throws IOException {
        running("digits", 2);
        one(job -> job.workers() == 2);
        server.away(
                () -> {
                    Optional<IOException> failure = failure();
                    assertThat(failure).isPresent();
                    assertThat(failure.get()).hasMessageContaining("API server");
                });
        one(job -> job.workers() == 2);
        running("letters", 3);
        see(jobs -> jobs.size() == 2);
    }

    private Optional<IOException> failure() {
        List<IOException> failures = new ArrayList<>();
        boolean failed =
                Await.until(
                        Duration.ofMinutes(2),
                        () -> {
                            try {
                                cluster.observe();
                                return false;
                            } catch (IOException e) {
                                return failures.add(e);
                            }
                        });
        return failed ? Optional.of(failures.get(0)) : Optional.empty();
    }

    @Test
    void whoOnlyLooksChangesNothing() throws IOException {
        cluster.close();
        cluster = watch(ResourceScope.of("levee-test"), NOW, true);
        running("digits", 2);
        operator.deployment("letters", "running", 2, "stateless", flink.address().toString());
        operator.carryOut("letters");
        see(jobs -> said.stream().anyMatch(text -> text.contains("stateless")));
        String version = operator.get("digits").version();
        cluster.act(decide("digits", 4, 32));
        assertThat(operator.get("digits").version()).isEqualTo(version);
        assertThat(control("digits")).isNull();
        assertThat(events()).isEmpty();
    }

    @Test
    void allNamespacesAndMoreLabels() throws IOException {
        running("digits", 2);
        cluster.close();
        cluster = watch(ResourceScope.everywhere(), NOW);
        one(job -> job.workers() == 2);
        cluster.close();
        cluster = watch(ResourceScope.everywhere().with("team=vision"), NOW);
        see(List::isEmpty);
        operator.patch("digits", "{\"metadata\":{\"labels\":{\"team\":\"vision\"}}}");
        one(job -> job.workers() == 2);
    }
}
