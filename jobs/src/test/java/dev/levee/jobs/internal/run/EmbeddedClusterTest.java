package dev.levee.jobs.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

@Tag("cluster")
class EmbeddedClusterTest {
    private static final String LISTENING = "0A";

    /** In hexadecimal digits, as the kernel shows them: 127.0.0.1 in its three forms, and ::1. */
    private static final List<String> LOOPBACK =
            List.of(
                    "0100007F",
                    "0000000000000000FFFF00000100007F",
                    "00000000000000000000000001000000");

    /** Addresses and ports on which this process listens, as the kernel shows them. */
    private static Set<String> listening() throws IOException {
        Set<String> own = new HashSet<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : (Iterable<Path>) descriptors::iterator) {
                try {
                    String target = Files.readSymbolicLink(descriptor).toString();
                    own.add(target.replaceAll("socket:\\[(\\d+)]", "$1"));
                } catch (NoSuchFileException e) {
                    continue; // closed meanwhile
                }
            }
        }
        Set<String> listening = new TreeSet<>();
        for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
            for (String line : Files.readAllLines(Path.of(table))) {
                String[] columns = line.trim().split("\\s+");
                if (columns[3].equals(LISTENING) && own.contains(columns[9])) {
                    listening.add(columns[1]);
                }
            }
        }
        return listening;
    }

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
                null);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void listensOnTheLoopbackOnly() throws Exception {
        Set<String> before = listening();
        int port = freePort();
        try (EmbeddedCluster cluster = EmbeddedCluster.start(deployment(port), 1)) {
            Set<String> own = listening();
            own.removeAll(before);

            String hexadecimal = ":%04X".formatted(port);
            assertThat(own)
                    .anyMatch(each -> each.endsWith(hexadecimal))
                    .anyMatch(each -> each.endsWith(":%04X".formatted(port(cluster))))
                    .allMatch(each -> LOOPBACK.contains(each.replaceAll(":.*", "")));
            assertThat(metrics(port)).contains("flink_jobmanager_");
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
