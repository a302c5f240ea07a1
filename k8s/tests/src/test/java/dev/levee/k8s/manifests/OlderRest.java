package dev.levee.k8s.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Stands before the REST API of a Flink 2.2 cluster and speaks as Flink 1.17 did, whose client the
 * operator of these tests has: that client refuses one field that it does not know.
 */
final class OlderRest implements AutoCloseable {
    private static final String UNKNOWN_FIELD = "pending-operators";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI flink;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client = HttpClient.newHttpClient();

    private OlderRest(URI flink, HttpServer server) {
        this.flink = flink;
        this.server = server;
    }

    static OlderRest before(URI flink) throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        OlderRest rest = new OlderRest(flink, server);
        server.createContext("/", rest::relay);
        server.setExecutor(rest.threads);
        server.start();
        return rest;
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void relay(HttpExchange exchange) throws IOException {
        try (exchange) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(flink.resolve(exchange.getRequestURI().toString()))
                            .method(
                                    exchange.getRequestMethod(),
                                    BodyPublishers.ofByteArray(
                                            exchange.getRequestBody().readAllBytes()));
            String type = exchange.getRequestHeaders().getFirst("Content-Type");
            if (type != null) {
                request.header("Content-Type", type);
            }
            HttpResponse<byte[]> response =
                    client.send(request.build(), BodyHandlers.ofByteArray());
            byte[] body = older(exchange.getRequestURI(), response.body());
            exchange.getResponseHeaders()
                    .set(
                            "Content-Type",
                            response.headers().firstValue("Content-Type").orElse("text/plain"));
            exchange.sendResponseHeaders(response.statusCode(), body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static byte[] older(URI request, byte[] answer) throws IOException {
        if (!request.getPath().endsWith("/jobs/overview")) {
            return answer;
        }
        JsonNode overview = JSON.readTree(answer);
        for (JsonNode job : overview.path("jobs")) {
            ((ObjectNode) job).remove(UNKNOWN_FIELD);
        }
        return JSON.writeValueAsBytes(overview);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
