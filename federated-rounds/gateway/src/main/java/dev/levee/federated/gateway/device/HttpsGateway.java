package dev.levee.federated.gateway.device;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.levee.connectors.kafka.wire.Frame;

import org.apache.kafka.common.errors.TimeoutException;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Sends a device's requests to a gateway over HTTPS. */
final class HttpsGateway implements GatewayClient {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration ANSWER = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A response whose body was read. */
    private record Answer(int status, byte[] body) {}

    private final URI gateway;
    private final String run;
    private final Account account;
    private final HttpClient http;

    /**
     * Creates a client without sending a request.
     *
     * @throws IllegalArgumentException if a file of the device is wrong; one sentence
     */
    HttpsGateway(URI gateway, String run, DeviceFiles files) {
        this.gateway = gateway;
        this.run = run;
        this.account = new Account(files);
        this.http =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT)
                        .sslContext(files.tls())
                        .build();
    }

    @Override
    public Optional<News> newest(String after, Duration wait) throws InterruptedException {
        Answer answer =
                send(
                        request("models/newest?after=%s&wait=%d".formatted(after, wait.toSeconds()))
                                .timeout(wait.plus(ANSWER))
                                .GET());
        if (answer.status() == 204) {
            return Optional.empty();
        }
        JsonNode json = json(answer);
        return Optional.of(
                new News(
                        json.path("run").asLong(),
                        json.path("version").asLong(),
                        json.path("id").asText(),
                        json.path("bytes").asLong(),
                        json.path("etag").asText(),
                        json.path("concerns").asBoolean()));
    }

    @Override
    public boolean download(News version, long from, Output output) throws InterruptedException {
        HttpRequest.Builder request =
                request("models/" + version.id())
                        .header("If-Range", version.etag())
                        .header("Range", "bytes=" + from + "-")
                        .timeout(ANSWER)
                        .GET();
        try {
            HttpResponse<InputStream> answer = open(authorized(request));
            try (InputStream in = answer.body()) {
                if (answer.statusCode() == 200 || answer.statusCode() == 404) {
                    return false; // the version has other bytes now, or is gone
                }
                if (answer.statusCode() != 206) {
                    throw refused(answer.statusCode(), in.readNBytes(1 << 12));
                }
                byte[] piece = new byte[1 << 16];
                for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                    output.write(piece, length);
                }
                return true;
            }
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    @Override
    public void contribute(Frame frame, byte[] bytes) throws InterruptedException {
        put("contributions/%s/%d".formatted(GatewayClient.id(frame), frame.block()), bytes);
    }

    @Override
    public void score(Frame frame, byte[] bytes) throws InterruptedException {
        put("scores/" + GatewayClient.id(frame), bytes);
    }

    @Override
    public void say(Frame frame, byte[] bytes) throws InterruptedException {
        put("sums/" + GatewayClient.id(frame), bytes);
    }

    @Override
    public List<byte[]> told(String id, int from, Duration wait) throws InterruptedException {
        Answer answer =
                send(
                        request("sums/%s?from=%d&wait=%d".formatted(id, from, wait.toSeconds()))
                                .timeout(wait.plus(ANSWER))
                                .GET());
        List<byte[]> records = new ArrayList<>();
        if (answer.status() != 204) {
            try {
                for (JsonNode record : json(answer).path("records")) {
                    records.add(record.binaryValue());
                }
            } catch (IOException e) {
                throw new TimeoutException("the gateway's answer cannot be read: " + e);
            }
        }
        return records;
    }

    private void put(String path, byte[] bytes) throws InterruptedException {
        send(request(path).timeout(ANSWER).PUT(BodyPublishers.ofByteArray(bytes)));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(gateway.resolve("/v1/runs/" + run + "/" + path));
    }

    private Answer send(HttpRequest.Builder request) throws InterruptedException {
        Answer answer = exchange(authorized(request));
        if (answer.status() >= 400) {
            throw refused(answer.status(), answer.body());
        }
        return answer;
    }

    private Answer exchange(HttpRequest request) throws InterruptedException {
        try {
            HttpResponse<InputStream> answer = open(request);
            try (InputStream in = answer.body()) {
                return new Answer(answer.statusCode(), in.readAllBytes());
            }
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    /** Sends a request and waits for the header of its response. */
    private HttpResponse<InputStream> open(HttpRequest request)
            throws IOException, InterruptedException {
        return http.send(
                request,
                header ->
                        BodySubscribers.mapping(
                                BodySubscribers.ofInputStream(),
                                body -> new TimedStream(body, ANSWER)));
    }

    private RuntimeException unreachable(IOException cause) {
        String sentence = "gateway %s does not answer: %s".formatted(gateway, cause);
        return GatewayClient.mistrust(cause)
                ? new GatewayRefusedException(false, sentence)
                : new TimeoutException(sentence, cause);
    }

    private RuntimeException refused(int status, byte[] body) {
        String why;
        try {
            why = JSON.readTree(body).path("message").asText();
        } catch (IOException e) {
            why = "";
        }
        String sentence = "gateway %s: %s (HTTP %d)".formatted(gateway, why, status);
        return status == 429 || status >= 500
                ? new TimeoutException(sentence)
                : new GatewayRefusedException(status == 404 || status == 409, sentence);
    }

    private static JsonNode json(Answer answer) {
        try {
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new TimeoutException("the gateway's answer cannot be read: " + e.getMessage());
        }
    }

    /** Adds the account's bearer token. Enrolls first if there is an enrollment token. */
    private HttpRequest authorized(HttpRequest.Builder request) throws InterruptedException {
        account.bearer(this::enroll)
                .ifPresent(known -> request.header("Authorization", "Bearer " + known));
        return request.build();
    }

    private void enroll(String device, String token, String secret) throws InterruptedException {
        String body = JsonNodeFactory.instance.objectNode().put("secret_sha256", secret).toString();
        Answer answer =
                exchange(
                        request("devices/" + device)
                                .timeout(ANSWER)
                                .header("Authorization", "Bearer " + token)
                                .POST(BodyPublishers.ofString(body))
                                .build());
        if (answer.status() != 201) {
            throw refused(answer.status(), answer.body());
        }
    }

    @Override
    public void opened() {}

    /** Nothing to do: the JDK's client ends when it is no longer referenced. */
    @Override
    public void closed() {}
}
