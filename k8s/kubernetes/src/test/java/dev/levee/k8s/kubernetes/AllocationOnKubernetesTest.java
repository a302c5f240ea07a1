package dev.levee.k8s.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.k8s.allocator.AllocatorLoop;
import dev.levee.k8s.allocator.ElasticAllocator;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobStore;
import dev.levee.k8s.allocator.policy.Policies;
import dev.levee.k8s.allocator.policy.Tuning;
import dev.levee.k8s.flink.ElasticRequest;
import dev.levee.k8s.flink.RecordedFlink;
import dev.levee.k8s.flink.rest.Await;

import io.fabric8.kubernetes.client.KubernetesClient;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Observation, decision, action and memory together. */
@Tag("long")
class AllocationOnKubernetesTest {
    private static final ElasticRequest REQUEST =
            new ElasticRequest(new JobBounds(1, 8, 2, 16, 512, 0.05), false, 0);
    private static final int SLOTS = 8;

    private final List<String> said = new ArrayList<>();
    private ApiServer server;
    private KubernetesClient client;
    private OperatorStandIn operator;
    private RecordedFlink flink;

    @BeforeEach
    void start() throws IOException {
        server = new ApiServer();
        client = server.client();
        operator = new OperatorStandIn(client, "levee-test");
        flink = new RecordedFlink();
    }

    @AfterEach
    void stop() throws IOException {
        flink.close();
        client.close();
        server.close();
    }

    private void running(String name) {
        operator.deployment(name, "running", 2, "last-state", flink.address().toString());
        settle(name);
    }

    /** The operator has done what the specification says, and the job runs. */
    private void settle(String name) {
        operator.carryOut(name);
        int parallelism = operator.get(name).parallelism();
        flink.job("job-" + name, "Levee", "RUNNING", parallelism, REQUEST.configuration());
        flink.metrics(
                "job-" + name,
                "samples=100 samplesTotal=1000 activeWorkers=%d batchSize=16 learningRateScale=1 samplesPerSecond=%d computeUtilisation=0.95 memoryUtilisation=0.5"
                        .formatted(parallelism, 40 * parallelism));
    }

    /** An allocator from its start to its end. */
    private void allocate(int jobs) throws IOException {
        JobStore store = ConfigMapJobStore.open(client, "levee-test", "levee-allocator");
        Clock clock = Clock.systemUTC();
        try (KubernetesCluster cluster =
                KubernetesCluster.watch(
                        client,
                        ResourceScope.of("levee-test"),
                        Slots.fixed(SLOTS),
                        new FlinkJobs(),
                        KubernetesCluster::restOf,
                        clock,
                        said::add,
                        false)) {
            assertThat(
                            Await.until(
                                    Duration.ofMinutes(2),
                                    () -> cluster.observe().jobs().size() == jobs))
                    .isTrue();
            AllocatorLoop loop =
                    new AllocatorLoop(
                            cluster,
                            new ElasticAllocator(
                                    Policies.named(Policies.DEFAULT, 240, Tuning.DEFAULT),
                                    store,
                                    clock),
                            new AllocatorLoop.Rhythm(Duration.ofMinutes(2), Duration.ofMinutes(4)),
                            clock,
                            time -> {},
                            said::add);
            assertThat(loop.once()).isTrue();
        }
    }

    @Test
    void aQueuedJobGetsRoomFromAnAllocatorThatWasRestarted() throws IOException {
        running("digits");
        allocate(1);
        assertThat(operator.get("digits").parallelism()).isEqualTo(SLOTS);
        settle("digits");
        operator.deployment("letters", "suspended", 2, "last-state", flink.address().toString());
        allocate(2);
        FlinkResource digits = operator.get("digits");
        FlinkResource letters = operator.get("letters");
        assertThat(letters.isSuspended()).isFalse();
        assertThat(letters.parallelism()).isEqualTo(2);
        assertThat(digits.parallelism()).isEqualTo(SLOTS - 2);
        JobStore store = ConfigMapJobStore.open(client, "levee-test", "levee-allocator");
        assertThat(store.scalingRounds()).isEqualTo(2);
        assertThat(store.find("levee-test/digits").orElseThrow().history()).hasSize(2);
        assertThat(said).allMatch(text -> text.startsWith("FlinkDeployment levee-test/"));
    }

    @Test
    void aDeletedJobIsForgottenAndItsRoomGivenAway() throws IOException {
        running("digits");
        running("letters");
        allocate(2);
        settle("digits");
        settle("letters");
        assertThat(operator.get("digits").parallelism() + operator.get("letters").parallelism())
                .isEqualTo(SLOTS);
        operator.resource(FlinkResource.Kind.FLINK_DEPLOYMENT, "letters").delete();
        allocate(1);
        assertThat(operator.get("digits").parallelism()).isEqualTo(SLOTS);
        assertThat(ConfigMapJobStore.open(client, "levee-test", "levee-allocator").jobs())
                .containsExactly("levee-test/digits");
    }
}
