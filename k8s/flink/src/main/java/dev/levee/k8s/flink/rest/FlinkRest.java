package dev.levee.k8s.flink.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads from and controls a Flink cluster through its REST API. */
public final class FlinkRest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Shared, because each client starts its own threads. */
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration ELECTION = Duration.ofMinutes(1);
    private static final long PAUSE_MILLIS = 200;

    private final URI address;
    private final Duration patience;

    /**
     * @param address the cluster's address, such as {@code http://127.0.0.1:8081}; it may have a
     *     path, for clusters behind a proxy
     */
    public FlinkRest(URI address) {
        this(address, PATIENCE);
    }

    /**
     * Creates an instance with a given patience.
     *
     * @param patience maximum time of a request until its answer is complete
     */
    FlinkRest(URI address, Duration patience) {
        this.address = address;
        this.patience = patience;
    }

    /** The address of the cluster. */
    public URI address() {
        return address;
    }

    /**
     * Reads the cluster's slots, TaskManagers and jobs. While JobManagers elect a leader, for
     * example after a failure, it waits up to a minute.
     */
    public JsonNode overview() throws IOException {
        long deadline = System.nanoTime() + ELECTION.toNanos();
        while (true) {
            try {
                return get("/overview");
            } catch (RestException e) {
                if (!e.noLeader() || System.nanoTime() > deadline) {
                    throw e;
                }
                pause(e);
            }
        }
    }

    private static void pause(RestException e) throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw e;
        }
    }

    /** True if the cluster knows a job with this id, in any state. */
    public boolean knows(String job) throws IOException {
        return find("/jobs/" + job).isPresent();
    }

    /**
     * Sends a GET request for a path.
     *
     * @return the answer; empty if the path does not exist
     */
    public Optional<JsonNode> find(String path) throws IOException {
        try {
            return Optional.of(get(path));
        } catch (RestException e) {
            if (e.notFound()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Sends a GET request for a path such as {@code /overview}, and returns the answer. */
    public JsonNode get(String path) throws IOException {
        return send(request(path).GET().build());
    }

    /** Sends a PATCH request without a body, and returns the answer. */
    public JsonNode patch(String path) throws IOException {
        return send(request(path).method("PATCH", BodyPublishers.noBody()).build());
    }

    /** Sends a PUT or POST request with JSON text, and returns the answer. */
    public JsonNode send(String method, String path, String json) throws IOException {
        return send(
                request(path)
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(json))
                        .build());
    }

    private HttpRequest.Builder request(String path) {
        String base = address.toString().replaceFirst("/+$", "");
        return HttpRequest.newBuilder(URI.create(base + path));
    }

    private JsonNode send(HttpRequest request) throws IOException {
        // The timeout of an HttpRequest does not include the body of the answer.
        CompletableFuture<HttpResponse<String>> answer =
                CLIENT.sendAsync(request, BodyHandlers.ofString());
        try {
            HttpResponse<String> response = answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (response.statusCode() >= 400) {
                throw new RestException(
                        request.method() + " " + request.uri(),
                        response.statusCode(),
                        response.body());
            }
            return JSON.readTree(response.body());
        } catch (JsonProcessingException e) {
            throw new IOException(request.uri() + " did not answer with JSON", e);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException(address + " does not answer", e);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + request.uri(), e);
        }
    }

    private IOException failure(Throwable cause) {
        if (cause instanceof ConnectException || cause instanceof HttpTimeoutException) {
            return new IOException(address + " does not answer", cause);
        }
        return new IOException(
                "the connection to " + address + " failed: " + cause.getMessage(), cause);
    }
}
