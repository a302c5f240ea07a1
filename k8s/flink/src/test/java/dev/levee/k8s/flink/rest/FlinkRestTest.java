package dev.levee.k8s.flink.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;

import dev.levee.k8s.flink.RecordedFlink;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
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
}
