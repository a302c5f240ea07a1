package dev.levee.federated.gateway.device;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.levee.federated.gateway.account.Secrets;

import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Optional;

import javax.net.ssl.SSLException;

/**
 * A device's requests to a gateway, over one HTTP client. Calls block; a failure that may pass is a
 * {@link RetriableException}, any other has a sentence. Safe for concurrent use.
 */
final class GatewayClient {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration ANSWER = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The gateway's bytes of a version: some of them, from an offset on. */
    interface Output {
        void write(byte[] bytes, int length);
    }

    private final URI gateway;
    private final String run;
    private final DeviceFiles files;
    private final HttpClient http;
    private String secret;

    /**
     * A client that has asked nothing.
     *
     * @throws IllegalArgumentException if a file of the device is wrong; one sentence
     */
    GatewayClient(URI gateway, String run, DeviceFiles files) {
        this.gateway = gateway;
        this.run = run;
        this.files = files;
        this.http =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT)
                        .sslContext(files.tls())
                        .build();
    }

    /** The gateway's answer about a version. */
    record News(long run, long version, String id, long bytes, String etag, boolean concerns) {}

    /** The first version after another that there is within a time. */
    Optional<News> newest(String after, Duration wait) throws InterruptedException {
        HttpResponse<byte[]> answer =
                send(
                        request("models/newest?after=%s&wait=%d".formatted(after, wait.toSeconds()))
                                .timeout(wait.plus(ANSWER))
                                .GET());
        if (answer.statusCode() == 204) {
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

    /**
     * Downloads a version from an offset on, as far as the connection lasts.
     *
     * @return false if the gateway no longer has these bytes
     */
    boolean download(News version, long from, Output output) throws InterruptedException {
        HttpRequest.Builder request =
                request("models/" + version.id())
                        .header("If-Range", version.etag())
                        .header("Range", "bytes=" + from + "-")
                        .timeout(ANSWER)
                        .GET();
        try {
            HttpResponse<InputStream> answer =
                    http.send(authorized(request), BodyHandlers.ofInputStream());
            try (InputStream in = answer.body()) {
                if (answer.statusCode() == 200 || answer.statusCode() == 404) {
                    return false; // other bytes under that name, or none
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

    /** Sends a frame, and returns when Kafka has it. */
    void put(String path, byte[] frame) throws InterruptedException {
        send(request(path).timeout(ANSWER).PUT(BodyPublishers.ofByteArray(frame)));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(gateway.resolve("/v1/runs/" + run + "/" + path));
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) throws InterruptedException {
        HttpResponse<byte[]> answer = exchange(authorized(request));
        if (answer.statusCode() >= 400) {
            throw refused(answer.statusCode(), answer.body());
        }
        return answer;
    }

    private HttpResponse<byte[]> exchange(HttpRequest request) throws InterruptedException {
        try {
            return http.send(request, BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private RuntimeException unreachable(IOException cause) {
        String sentence = "gateway %s does not answer: %s".formatted(gateway, cause);
        return mistrust(cause)
                ? new GatewayRefusedException(0, sentence)
                : new TimeoutException(sentence, cause);
    }

    /** True if one of the two does not accept the other's certificate: trying again is no use. */
    private static boolean mistrust(IOException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            boolean alert =
                    cause instanceof SSLException
                            && String.valueOf(cause.getMessage()).contains("fatal alert");
            if (alert || cause instanceof CertificateException) {
                return true;
            }
        }
        return false;
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
                : new GatewayRefusedException(status, sentence);
    }

    private static JsonNode json(HttpResponse<byte[]> answer) {
        try {
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new TimeoutException("the gateway's answer cannot be read: " + e.getMessage());
        }
    }

    /** Shows the account's secret, after enrolment where there is a token. */
    private HttpRequest authorized(HttpRequest.Builder request) throws InterruptedException {
        Optional<String> own = account();
        own.ifPresent(
                known -> request.header("Authorization", "Bearer " + files.name() + "." + known));
        return request.build();
    }

    private synchronized Optional<String> account() throws InterruptedException {
        if (secret == null) {
            Optional<String> token = files.unusedToken();
            if (token.isPresent()) {
                enrol(token.get());
            }
            secret = files.secret().orElse("");
        }
        return secret.isEmpty() ? Optional.empty() : Optional.of(secret);
    }

    private void enrol(String token) throws InterruptedException {
        // On disk first: whoever is killed asks again with the same secret, which is no second use.
        if (files.secret().isEmpty()) {
            files.write(Secrets.random());
        }
        String body =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("secret_sha256", Secrets.hash(files.secret().orElseThrow()))
                        .toString();
        HttpResponse<byte[]> answer =
                exchange(
                        request("devices/" + files.name())
                                .timeout(ANSWER)
                                .header("Authorization", "Bearer " + token)
                                .POST(BodyPublishers.ofString(body))
                                .build());
        if (answer.statusCode() != 201) {
            throw refused(answer.statusCode(), answer.body());
        }
        files.tokenUsed();
    }
}
