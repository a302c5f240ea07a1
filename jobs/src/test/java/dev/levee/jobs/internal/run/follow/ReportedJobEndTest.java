package dev.levee.jobs.internal.run.follow;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;

import dev.levee.k8s.flink.rest.FlinkRest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What a client is told of a job without results, by something that answers like a cluster. */
class ReportedJobEndTest {
    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private volatile int stale;
    private HttpServer server;
    private FlinkRest rest;

    @BeforeEach
    void listen() throws IOException {
        InetAddress local = InetAddress.getByName("127.0.0.1");
        server = HttpServer.create(new InetSocketAddress(local, 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    String path = exchange.getRequestURI().getPath();
                    stale--;
                    if (stale == 2) {
                        answers.put("/jobs/j1", "{\"state\": \"FINISHED\"}");
                    } else if (stale == 0) {
                        savepoint("SYNC_SAVEPOINT", "file:/sp/savepoint-2");
                    }
                    byte[] body =
                            answers.getOrDefault(path, "{\"errors\": [\"Not found.\"]}")
                                    .getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(
                            answers.containsKey(path) ? 200 : 404, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
        rest = new FlinkRest(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
    }

    @AfterEach
    void end() {
        server.stop(0);
    }

    private void savepoint(String type, String path) {
        answers.put(
                "/jobs/j1/checkpoints",
                """
                {"latest": {"savepoint": {"checkpoint_type": "%s", "external_path": "%s"}}}
                """
                        .formatted(type, path));
    }

    private String sentence() {
        return ReportedJobEnd.of(rest, "j1").orElseThrow().sentence();
    }

    /** Flink answers from memory for a few seconds; so does this for a few requests. */
    @Test
    void aStoppedJobNamesItsSavepoint() {
        answers.put("/jobs/j1", "{\"state\": \"RUNNING\"}");
        stale = 5;
        savepoint("SAVEPOINT", "file:/sp/savepoint-1");
        assertThat(ReportedJobEnd.of(rest, "j1"))
                .contains(
                        new ReportedJobEnd(
                                "was stopped with the savepoint file:/sp/savepoint-2",
                                Optional.of("file:/sp/savepoint-2")));
    }

    @Test
    void aCancelledJobSaysSo() {
        answers.put("/jobs/j1", "{\"state\": \"CANCELED\"}");
        assertThat(sentence()).isEqualTo("was canceled");
    }

    @Test
    void aFailedJobHasAReasonOfItsOwn() {
        answers.put("/jobs/j1", "{\"state\": \"FAILED\"}");
        assertThat(ReportedJobEnd.of(rest, "j1")).isEmpty();
    }

    @Test
    void aClusterThatHasForgottenItOrIsGoneIsNamed() {
        assertThat(sentence())
                .isEqualTo("is lost: the cluster at " + rest.address() + " no longer has the job");
        server.stop(0);
        assertThat(sentence())
                .isEqualTo(
                        "may still run, but the cluster at "
                                + rest.address()
                                + " no longer responds");
    }
}
