package dev.levee.k8s.flink.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;

import dev.levee.k8s.flink.RecordedFlink;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

class FlinkRestTest {
    @ParameterizedTest
    @ValueSource(strings = {"/training/flink", "/training/flink/"})
    void theAddressMayHaveAPath(String path) throws IOException {
        try (RecordedFlink flink = new RecordedFlink()) {
            flink.answer("/training/flink/overview?a=b", "{\"slots-total\":4}");
            FlinkRest rest = new FlinkRest(URI.create(flink.address() + path));
            assertThat(rest.get("/overview?a=b").path("slots-total").asInt()).isEqualTo(4);
        }
    }

    @Test
    void theOverviewIsWaitedForWhileNobodyLeads() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext(
                "/overview",
                exchange -> {
                    boolean elected = asked.incrementAndGet() > 2;
                    byte[] body =
                            (elected
                                            ? "{\"slots-total\":4}"
                                            : "{\"errors\":[\"Service temporarily unavailable\"]}")
                                    .getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(elected ? 200 : 503, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
        try {
            FlinkRest rest =
                    new FlinkRest(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
            assertThat(rest.overview().path("slots-total").asInt()).isEqualTo(4);
            assertThat(asked).hasValue(3);
        } finally {
            server.stop(0);
        }
    }

    private static HttpServer serve(HttpHandler handler) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", handler);
        server.start();
        return server;
    }

    private static URI address(HttpServer server) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Test
    void anAnswerThatStopsInItsBodyIsNoAnswer() throws IOException {
        CountDownLatch over = new CountDownLatch(1);
        HttpServer server =
                serve(
                        exchange -> {
                            exchange.sendResponseHeaders(200, 100);
                            exchange.getResponseBody().write('{');
                            exchange.getResponseBody().flush();
                            try {
                                over.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
        try {
            FlinkRest rest = new FlinkRest(address(server), Duration.ofMillis(200));
            assertThatThrownBy(() -> rest.get("/overview"))
                    .isInstanceOf(IOException.class)
                    .hasMessage(address(server) + " does not answer");
        } finally {
            over.countDown();
            server.stop(0);
        }
    }

    @Test
    void aConnectionThatEndsIsNamed() throws IOException {
        HttpServer server = serve(exchange -> exchange.close());
        try {
            assertThatThrownBy(() -> new FlinkRest(address(server)).get("/overview"))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("the connection to " + address(server) + " failed: ");
        } finally {
            server.stop(0);
        }
    }

    /** A proxy that has no route for a moment does not know which jobs there are. */
    @Test
    void onlyFlinkKnowsWhatDoesNotExist() throws IOException {
        HttpServer proxy =
                serve(
                        exchange -> {
                            exchange.sendResponseHeaders(404, -1);
                            exchange.close();
                        });
        try (RecordedFlink flink = new RecordedFlink()) {
            assertThat(new FlinkRest(flink.address()).find("/jobs/a")).isEmpty();
            assertThatThrownBy(() -> new FlinkRest(address(proxy)).find("/jobs/a"))
                    .isInstanceOf(RestException.class)
                    .hasMessageEndingWith("/jobs/a answered 404");
        } finally {
            proxy.stop(0);
        }
    }
}
