package dev.levee.jobs.internal.run.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.jobs.cluster.ListeningSockets;
import dev.levee.jobs.internal.cluster.Ports;
import dev.levee.jobs.internal.config.Deployment;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;

@Tag("cluster")
class EmbeddedClusterTest {
    private static Deployment deployment(int prometheusPort) {
        return new Deployment(
                null,
                1,
                1,
                null,
                "0",
                prometheusPort,
                null,
                Duration.ofSeconds(10),
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void listensOnTheLoopbackOnly() throws Exception {
        long pid = ProcessHandle.current().pid();
        Set<String> before = ListeningSockets.of(pid);
        int port = Ports.free(0);
        try (EmbeddedCluster cluster = EmbeddedCluster.start(deployment(port), 1)) {
            Set<String> own = ListeningSockets.of(pid);
            own.removeAll(before);

            String hexadecimal = ":%04X".formatted(port);
            assertThat(own)
                    .anyMatch(each -> each.endsWith(hexadecimal))
                    .anyMatch(each -> each.endsWith(":%04X".formatted(port(cluster))))
                    .allMatch(ListeningSockets::loopback);
            assertThat(metrics(port)).contains("flink_jobmanager_");
        }
    }

    @Test
    void refusesAPortThatIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            int port = taken.getLocalPort();
            assertThatThrownBy(() -> EmbeddedCluster.start(deployment(port), 1).close())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith(
                            "--prometheus-port " + port + " cannot be opened on 127.0.0.1 (");
        }
    }

    private static int port(EmbeddedCluster cluster) {
        try {
            return cluster.address().getPort();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String metrics(int port) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
