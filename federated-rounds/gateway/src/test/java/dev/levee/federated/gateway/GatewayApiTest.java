package dev.levee.federated.gateway;

import static dev.levee.federated.gateway.GatewayFixture.GENEROUS;
import static dev.levee.federated.gateway.GatewayFixture.RUN;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.kafka.versions.NewestVersion;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.federated.gateway.account.Secrets;
import dev.levee.federated.gateway.metrics.Refusal;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** What docs/reference/gateway.md promises to a client. */
class GatewayApiTest {
    private static final String RUNS = "/v1/runs/demo/";
    private static final byte[] NONE = {};

    @TempDir static Path directory;
    private GatewayFixture gateway;
    private HttpsClient client;

    @BeforeEach
    void listen() throws Exception {
        gateway = new GatewayFixture(directory, false, GENEROUS);
        client = HttpsClient.connect(gateway.port());
    }

    @AfterEach
    void end() throws Exception {
        client.close();
        gateway.close();
    }

    private HttpsClient.Answer get(String path, String bearer) throws Exception {
        return client.request("GET", path, bearer, NONE);
    }

    private static byte[] bytes(NewestVersion.Found version) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Frame frame : version.frames()) {
            ByteBuffer record = frame.record();
            ByteBuffer length = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
            bytes.writeBytes(length.putInt(0, record.remaining()).array());
            byte[] copy = new byte[record.remaining()];
            record.get(copy);
            bytes.writeBytes(copy);
        }
        return bytes.toByteArray();
    }

    @Test
    void aDeviceEnrollsWithItsTokenAndMayAskAgain() throws Exception {
        String token = gateway.offer("w1");
        String secret = Secrets.random();
        byte[] body =
                ("{\"secret_sha256\":\"" + Secrets.hash(secret) + "\"}")
                        .getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 2; i++) {
            HttpsClient.Answer answer = client.request("POST", RUNS + "devices/w1", token, body);
            assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        }
        gateway.publish(0, false);
        assertThat(get(RUNS + "models/newest", "w1." + secret).status()).isEqualTo(200);
        assertThat(get(RUNS + "models/newest", "w2." + secret).status()).isEqualTo(401);
    }

    @Test
    void aModelIsCachedByItsTagAndReadInRanges() throws Exception {
        String bearer = "w1." + gateway.enroll("w1");
        byte[] whole = bytes(gateway.publish(7, false));
        String path = RUNS + "models/" + RUN + "-7";
        HttpsClient.Answer all = get(path, bearer);
        assertThat(all.status()).isEqualTo(200);
        assertThat(all.body()).isEqualTo(whole);
        String etag = all.headers().get("etag");
        assertThat(etag).startsWith("\"" + RUN + "-7-");
        client.send(HttpsClient.header("GET", path, bearer, 0, "If-None-Match: " + etag + "\r\n"));
        assertThat(client.answer().status()).isEqualTo(304);
        String range = "Range: bytes=1000-600000\r\nIf-Range: ";
        client.send(HttpsClient.header("GET", path, bearer, 0, range + etag + "\r\n"));
        HttpsClient.Answer part = client.answer();
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.headers())
                .containsEntry(
                        "content-range",
                        "bytes 1000-%d/%d".formatted(whole.length - 1, whole.length));
        assertThat(part.body()).isEqualTo(Arrays.copyOfRange(whole, 1000, whole.length));
        client.send(HttpsClient.header("GET", path, bearer, 0, range + "\"other\"\r\n"));
        assertThat(client.answer().body()).as("another version's range").isEqualTo(whole);
        client.send(HttpsClient.header("HEAD", path, bearer, 0, ""));
        assertThat(readHead()).contains("content-length: " + whole.length);
    }

    private String readHead() throws Exception {
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            head.append((char) client.read());
        }
        return head.toString().toLowerCase(Locale.ROOT);
    }

    @Test
    void whoHasTheNewestVersionIsToldOfTheNextWhenItComes() throws Exception {
        String bearer = "w3." + gateway.enroll("w3");
        gateway.publish(7, false);
        String after = RUNS + "models/newest?wait=60&after=" + RUN + "-";
        HttpsClient.Answer now = get(after + 6, bearer);
        assertThat(now.text())
                .contains("\"version\":7", "\"blocks\":2", "\"asked\":false", "\"concerns\":false");
        client.send(HttpsClient.header("GET", after + 7, bearer, 0, ""));
        Until.holds(() -> gateway.models().waiting() == 1);
        gateway.publish(8, true);
        assertThat(client.answer().text())
                .contains("\"version\":8", "\"stop\":true", "\"concerns\":true");
        assertThat(get(RUNS + "models/newest?wait=0&after=" + RUN + "-8", bearer).status())
                .isEqualTo(204);
    }

    @Test
    void aWaiterThatLeavesIsForgotten() throws Exception {
        String bearer = "w3." + gateway.enroll("w3");
        gateway.publish(7, false);
        String after = RUNS + "models/newest?wait=60&after=" + RUN + "-7";
        client.send(HttpsClient.header("GET", after, bearer, 0, ""));
        Until.holds(() -> gateway.models().waiting() == 1);
        client.close();
        Until.holds(() -> gateway.models().waiting() == 0);
    }

    @Test
    void aBlockIsAcknowledgedWhenKafkaHasAcknowledgedIt() throws Exception {
        String bearer = "w1." + gateway.enroll("w1");
        gateway.publish(7, false);
        byte[] frame = gateway.frame(1, 7, 1);
        String path = RUNS + "contributions/" + RUN + "-7/1";
        CompletableFuture<HttpsClient.Answer> answer =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return client.request("PUT", path, bearer, frame);
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        });
        Until.holds(() -> gateway.topics().history().size() == 1);
        assertThat(answer.isDone()).isFalse();
        assertThat(gateway.topics().completeNext()).isTrue();
        assertThat(answer.get().status()).isEqualTo(204);
        ProducerRecord<byte[], byte[]> record = gateway.topics().history().get(0);
        assertThat(record.topic()).isEqualTo("demo.gradients");
        assertThat(record.value()).isEqualTo(frame);
        assertThat(record.key()).isEqualTo("w1".getBytes(StandardCharsets.UTF_8));
        assertThat(gateway.metrics().acknowledged.sum()).isEqualTo(1);
    }

    @Test
    void aBlockThatKafkaRefusesIsNotAcknowledged() throws Exception {
        String bearer = "w1." + gateway.enroll("w1");
        gateway.publish(7, false);
        client.send(
                HttpsClient.header(
                        "PUT",
                        RUNS + "contributions/" + RUN + "-7/1",
                        bearer,
                        gateway.frame(1, 7, 1).length,
                        "Expect: 100-continue\r\n"));
        assertThat(client.answer().status()).isEqualTo(100);
        client.send(gateway.frame(1, 7, 1));
        Until.holds(() -> gateway.topics().history().size() == 1);
        gateway.topics().errorNext(new NotEnoughReplicasException("too few replicas"));
        HttpsClient.Answer answer = client.answer();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.headers()).containsKey("retry-after");
        assertThat(gateway.metrics().acknowledged.sum()).isZero();
        assertThat(gateway.metrics().refused(Refusal.NO_BROKER)).isEqualTo(1);
    }

    @Test
    void anOlderVersionOfTheRunMayStillBeAnswered() throws Exception {
        String bearer = "w1." + gateway.enroll("w1");
        for (long version = 5; version < 9; version++) {
            gateway.publish(version, false);
        }
        client.send(
                HttpsClient.header(
                        "PUT",
                        RUNS + "contributions/" + RUN + "-5/1",
                        bearer,
                        gateway.frame(1, 5, 1).length,
                        ""));
        client.send(gateway.frame(1, 5, 1));
        Until.holds(() -> gateway.topics().history().size() == 1);
        gateway.topics().completeNext();
        assertThat(client.answer().status()).isEqualTo(204);
        assertThat(get(RUNS + "models/" + RUN + "-5", bearer).status()).isEqualTo(404);
        assertThat(get(RUNS + "models/" + RUN + "-9", bearer).status())
                .as("another gateway may have it")
                .isEqualTo(503);
    }

    @Test
    void aRevokedDeviceIsOut() throws Exception {
        String bearer = "w1." + gateway.enroll("w1");
        gateway.publish(0, false);
        assertThat(get(RUNS + "models/newest", bearer).status()).isEqualTo(200);
        gateway.revoke("w1");
        assertThat(get(RUNS + "models/newest", bearer).status()).isEqualTo(403);
    }

    @Test
    void aBalancerIsToldWhetherThereIsAModel() throws Exception {
        assertThat(get("/v1/health", null).status()).isEqualTo(503);
        gateway.publish(0, false);
        assertThat(get("/v1/health", null).status()).isEqualTo(200);
    }
}
