package dev.levee.jobs.internal.run.follow;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;

import dev.levee.k8s.flink.rest.FlinkRest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Why a job has not begun, by something that answers like a cluster. */
class MissingSlotsTest {
    private HttpServer server;
    private String address;

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.start();
        address = "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @AfterEach
    void end() {
        server.stop(0);
    }

    private void answer(String path, String json) {
        server.createContext(
                path,
                exchange -> {
                    byte[] body = json.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
    }

    private Optional<String> sentence(int total, int available, String status) {
        return sentence(total, available, status, 1);
    }

    private Optional<String> sentence(int total, int available, String status, int parallelism) {
        answer(
                "/overview",
                "{\"slots-total\": %d, \"slots-available\": %d}".formatted(total, available));
        answer(
                "/jobs/j1",
                "{\"vertices\": [{\"status\": \"%s\", \"parallelism\": 1}, {\"status\": \"%s\", \"parallelism\": %d}]}"
                        .formatted(status, status, parallelism));
        return new MissingSlots(new FlinkRest(URI.create(address)), "median", "j1").sentence();
    }

    @Test
    void allAreTaken() {
        assertThat(sentence(4, 0, "CREATED"))
                .contains("median waits for a slot: none of 4 is free at " + address);
    }

    @Test
    void thereIsNone() {
        assertThat(sentence(0, 0, "SCHEDULED"))
                .contains("median waits for a slot: no TaskManager is registered at " + address);
    }

    @Test
    void someAreFree() {
        assertThat(sentence(4, 1, "CREATED")).isEmpty();
    }

    @Test
    void tooFewAreFree() {
        assertThat(sentence(4, 2, "CREATED", 3))
                .contains("median waits for up to 3 slots: 2 of 4 are free at " + address);
    }

    /** Which takes the last slots itself. */
    @Test
    void theJobIsStarting() {
        assertThat(sentence(4, 0, "INITIALIZING")).isEmpty();
    }

    @Test
    void theClusterDoesNotAnswer() {
        assertThat(new MissingSlots(new FlinkRest(URI.create(address)), "median", "j1").sentence())
                .isEmpty();
    }
}
