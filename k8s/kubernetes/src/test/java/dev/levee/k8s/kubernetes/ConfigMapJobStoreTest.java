package dev.levee.k8s.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.k8s.allocator.JobMemory;
import dev.levee.k8s.allocator.JobStore;
import dev.levee.k8s.allocator.Measurement;
import dev.levee.k8s.allocator.store.JobStoreContract;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

class ConfigMapJobStoreTest extends JobStoreContract {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private ApiServer server;
    private KubernetesClient client;

    @BeforeEach
    void start() throws IOException {
        server = new ApiServer();
        client = server.client();
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        server.close();
    }

    @Override
    protected JobStore empty() throws IOException {
        return open();
    }

    private ConfigMapJobStore open() throws IOException {
        return ConfigMapJobStore.open(client, "levee-test", "levee-allocator");
    }

    private ConfigMap map() {
        return client.configMaps().inNamespace("levee-test").withName("levee-allocator").get();
    }

    private static JobMemory memory(int measurements) {
        List<Measurement> history = new ArrayList<>();
        for (int i = 1; i <= measurements; i++) {
            history.add(new Measurement(NOW.plusSeconds(i), i, 16, 100.0 / i, 0.5, 0.25));
        }
        return new JobMemory(history, 3, 64, 120.5, NOW, 4);
    }

    @Test
    void theNextAllocatorGoesOnWhereTheLastOneStopped() throws IOException {
        ConfigMapJobStore store = open();
        assertThat(store.jobs()).isEmpty();
        store.save("levee-test/digits", memory(2));
        store.saveScalingRounds(7);
        store.flush();
        ConfigMapJobStore again = open();
        assertThat(again.find("levee-test/digits")).contains(memory(2));
        assertThat(again.scalingRounds()).isEqualTo(7);
        again.remove("levee-test/digits");
        again.flush();
        assertThat(open().jobs()).isEmpty();
    }

    @Test
    void ofTwoAllocatorsOneIsTold() throws IOException {
        ConfigMapJobStore first = open();
        ConfigMapJobStore second = open();
        first.save("levee-test/digits", memory(1));
        first.flush();
        second.save("levee-test/letters", memory(1));
        assertThatThrownBy(second::flush)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "the store ConfigMap levee-test/levee-allocator was written by someone else; only one allocator may use it");
        assertThat(open().jobs()).containsExactly("levee-test/digits");
    }

    @Test
    void aWriteWhoseAnswerIsLostIsItsOwn() throws IOException {
        ConfigMapJobStore store = open();
        store.save("levee-test/digits", memory(1));
        server.loseAnswerTo("POST");
        assertThatThrownBy(store::flush).isInstanceOf(UncheckedIOException.class);
        assertThat(open().jobs()).containsExactly("levee-test/digits");
        store.save("levee-test/letters", memory(1));
        store.flush();
        store.remove("levee-test/digits");
        server.loseAnswerTo("PUT");
        assertThatThrownBy(store::flush).isInstanceOf(UncheckedIOException.class);
        assertThat(open().jobs()).containsExactly("levee-test/letters");
        store.save("levee-test/digits", memory(1));
        store.flush();
        assertThat(open().jobs()).hasSize(2);
    }

    @Test
    void labelsOfOthersAndADeletedMapDoNoHarm() throws IOException {
        ConfigMapJobStore store = open();
        store.save("levee-test/digits", memory(1));
        store.flush();
        client.resource(
                        new ConfigMapBuilder(map())
                                .editMetadata()
                                .addToLabels("team", "vision")
                                .endMetadata()
                                .build())
                .update();
        store.save("levee-test/letters", memory(1));
        store.flush();
        assertThat(map().getMetadata().getLabels()).containsEntry("team", "vision");
        client.resource(map()).delete();
        store.save("levee-test/faces", memory(1));
        store.flush();
        assertThat(open().jobs()).hasSize(3);
    }

    @Test
    void whatDoesNotFitLosesItsOldestMeasurements() throws IOException {
        ConfigMapJobStore store = open();
        for (int job = 0; job < 400; job++) {
            store.save("levee-test/job-" + job, memory(64));
        }
        store.flush();
        assertThat(map().getData().get("memory.json").getBytes(StandardCharsets.UTF_8).length)
                .isBetween(400_000, 1_000_000);
        ConfigMapJobStore again = open();
        assertThat(again.jobs()).hasSize(400);
        List<Measurement> left = again.find("levee-test/job-7").orElseThrow().history();
        assertThat(left).isNotEmpty().contains(memory(64).history().get(63));
        for (int job = 0; job < 10_000; job++) {
            store.save("levee-test/job-" + job, memory(0));
        }
        assertThatThrownBy(store::flush)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("10000 jobs do not fit");
        assertThat(open().jobs()).hasSize(400);
    }

    @Test
    void somethingElseIsNoStore() {
        client.resource(
                        new ConfigMapBuilder()
                                .withNewMetadata()
                                .withNamespace("levee-test")
                                .withName("levee-allocator")
                                .endMetadata()
                                .withData(Map.of("memory.json", "hello"))
                                .build())
                .create();
        assertThatThrownBy(this::open)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "ConfigMap levee-test/levee-allocator is not an allocator's store");
    }

    @Test
    void aServerThatIsAwayLosesNothing() throws IOException {
        ConfigMapJobStore store = open();
        store.save("levee-test/digits", memory(1));
        server.away(
                () ->
                        assertThatThrownBy(store::flush)
                                .isInstanceOf(UncheckedIOException.class)
                                .hasMessageContaining("no API server answers"));
        store.flush();
        assertThat(open().jobs()).containsExactly("levee-test/digits");
    }
}
