package dev.levee.k8s.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;

import dev.levee.k8s.flink.rest.Await;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

class LeadershipTest {
    private static final Leadership.Terms TERMS =
            new Leadership.Terms(
                    Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofMillis(100));

    private static final Leadership.Terms SHORT =
            new Leadership.Terms(
                    Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(100));

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

    private Leadership seek(String identity) throws IOException {
        return seek(identity, TERMS);
    }

    private Leadership seek(String identity, Leadership.Terms terms) throws IOException {
        return Leadership.seek(client, "levee-test", "levee-allocator", identity, terms);
    }

    private String holder() {
        return client.leases()
                .inNamespace("levee-test")
                .withName("levee-allocator")
                .get()
                .getSpec()
                .getHolderIdentity();
    }

    @Test
    void theNextLeadsWhenTheFirstGivesTheLeaseBack() throws Exception {
        try (Leadership second = second()) {
            second.await();
            assertThat(holder()).isEqualTo("second");
        }
    }

    private Leadership second() throws Exception {
        try (Leadership first = seek("first")) {
            first.await();
            CountDownLatch lost = new CountDownLatch(1);
            first.onLost(lost::countDown);
            Leadership second = seek("second");
            assertThat(holder()).isEqualTo("first");
            first.close();
            assertThat(lost.getCount()).isEqualTo(1);
            return second;
        }
    }

    @Test
    void whoCannotRenewHasLost() throws Exception {
        try (Leadership first = seek("first", SHORT)) {
            first.await();
            CountDownLatch lost = new CountDownLatch(1);
            first.onLost(lost::countDown);
            server.away(
                    () ->
                            assertThat(
                                            Await.until(
                                                    Duration.ofSeconds(60),
                                                    () -> lost.getCount() == 0))
                                    .isTrue());
        }
    }

    @Test
    void aRoleThatForbidsToWriteIsSaid() throws Exception {
        HttpServer forbids =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        forbids.createContext(
                "/",
                exchange -> {
                    boolean read = exchange.getRequestMethod().equals("GET");
                    exchange.sendResponseHeaders(read ? 404 : 403, -1);
                    exchange.close();
                });
        forbids.start();
        Config config =
                new ConfigBuilder(Config.empty())
                        .withMasterUrl("http://127.0.0.1:" + forbids.getAddress().getPort())
                        .withRequestRetryBackoffLimit(0)
                        .build();
        try (KubernetesClient there = new KubernetesClientBuilder().withConfig(config).build();
                Leadership first = Leadership.seek(there, "training", "lease", "first", TERMS)) {
            assertThatThrownBy(first::await)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "the API server does not permit levee to create leases in namespace training; a role must allow it");
        } finally {
            forbids.stop(0);
        }
    }

    @Test
    void whoGaveItUpDoesNotWait() throws Exception {
        try (Leadership first = seek("first")) {
            first.await();
            Leadership second = seek("second");
            second.close();
            assertThatThrownBy(second::await)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("Lease levee-test/levee-allocator is no longer requested");
        }
    }

    @Test
    void nobodyLeadsWithoutAServer() throws Exception {
        server.away(
                () ->
                        assertThatThrownBy(() -> seek("first"))
                                .isInstanceOf(IOException.class)
                                .hasMessageStartingWith(
                                        "no API server answers at http://127.0.0.1"));
    }
}
