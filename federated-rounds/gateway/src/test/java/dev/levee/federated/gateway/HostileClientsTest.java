package dev.levee.federated.gateway;

import static dev.levee.federated.gateway.GatewayFixture.GENEROUS;
import static dev.levee.federated.gateway.GatewayFixture.RUN;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.federated.gateway.account.AccountEvent;
import dev.levee.federated.gateway.account.Secrets;
import dev.levee.federated.gateway.limit.Limits;
import dev.levee.federated.gateway.metrics.Refusal;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Clients of many kinds, each of which wants something that it must not get: each is counted under
 * its reason, nothing of what it sends reaches a topic, and others are served as ever.
 */
@Tag("long")
class HostileClientsTest {
    private static final String MODELS = "/v1/runs/demo/models/";
    private static final String VERSION = RUN + "-7";
    private static final String BLOCK = "/v1/runs/demo/contributions/" + VERSION + "/1";
    private static final byte[] NONE = {};

    @TempDir static Path directory;

    /** A gateway, and the account that a client has got hold of: that of w1. */
    private record Scene(GatewayFixture gateway, String secret) {
        HttpsClient connect() throws Exception {
            return HttpsClient.connect(gateway.port());
        }

        String bearer() {
            return "w1." + secret;
        }

        void get(String path, String bearer) throws Exception {
            try (HttpsClient client = connect()) {
                client.request("GET", path, bearer, NONE);
            }
        }

        void put(String path, byte[] body) throws Exception {
            try (HttpsClient client = connect()) {
                client.request("PUT", path, bearer(), body);
            }
        }

        /** Says something, and lets time continue until the gateway has enough of it. */
        void stall(Duration time, String said) throws Exception {
            try (HttpsClient client = connect()) {
                client.send(said);
                passUntilCutOff(time);
                client.awaitEnd();
            }
        }

        /** The deadline counts from when the bytes are there, of which a client is not told. */
        void passUntilCutOff(Duration time) throws Exception {
            Until.holds(
                    () -> {
                        gateway.pass(time);
                        return gateway.metrics().refused(Refusal.SLOW_HEADER)
                                        + gateway.metrics().refused(Refusal.SLOW_BODY)
                                > 0;
                    });
        }

        byte[] frame() {
            return gateway.frame(1, 7, 1);
        }
    }

    private interface Act {
        void on(Scene scene) throws Exception;
    }

    private enum Kind {
        SPEAKS_NO_TLS(
                Refusal.HANDSHAKE,
                scene -> {
                    try (HttpsClient client = HttpsClient.plain(scene.gateway().port())) {
                        client.send("GET /v1/health HTTP/1.1\r\nHost: gateway\r\n\r\n");
                        client.awaitEnd();
                    }
                }),
        SPEAKS_AN_OLD_TLS(
                Refusal.HANDSHAKE,
                scene -> {
                    try (HttpsClient client =
                            HttpsClient.connect(scene.gateway().port(), "TLSv1.2")) {
                        throw new AssertionError("the gateway has accepted TLS 1.2");
                    } catch (IOException e) {
                        assertThat(e).isNotNull();
                    }
                }),
        SAYS_NOTHING(Refusal.SLOW_HEADER, scene -> scene.stall(Duration.ofMinutes(3), "")),
        SAYS_HALF_A_HEADER(
                Refusal.SLOW_HEADER,
                scene -> scene.stall(Duration.ofMinutes(3), "GET /v1/health HTTP/1.1\r\nHo")),
        SENDS_A_BODY_SLOWLY(
                Refusal.SLOW_BODY,
                scene -> {
                    try (HttpsClient client = scene.connect()) {
                        client.send(HttpsClient.header("PUT", BLOCK, scene.bearer(), 4200, ""));
                        client.send("LEVE");
                        Until.holds(() -> scene.gateway().reserved() > 0);
                        scene.passUntilCutOff(Duration.ofMinutes(2));
                        client.awaitEnd();
                    }
                }),
        LEAVES_IN_THE_MIDDLE_OF_A_BODY(
                Refusal.TRUNCATED,
                scene -> {
                    try (HttpsClient client = scene.connect()) {
                        client.send(HttpsClient.header("PUT", BLOCK, scene.bearer(), 4200, ""));
                        client.send("LEVE");
                        Until.holds(() -> scene.gateway().reserved() > 0);
                    }
                }),
        ASKS_BEFORE_IT_IS_ANSWERED(
                Refusal.PIPELINED,
                scene -> {
                    try (HttpsClient client = scene.connect()) {
                        String wait = MODELS + "newest?wait=60&after=" + VERSION;
                        String request = HttpsClient.header("GET", wait, scene.bearer(), 0, "");
                        client.send(request + request);
                        client.awaitEnd();
                    }
                }),
        SPEAKS_NO_HTTP(
                Refusal.NOT_HTTP,
                scene -> {
                    try (HttpsClient client = scene.connect()) {
                        client.send("GET / LEVE\r\n\r\n");
                        assertThat(client.answer().status()).isEqualTo(400);
                    }
                }),
        HAS_A_LONG_HEADER(
                Refusal.LONG_HEADER,
                scene -> {
                    try (HttpsClient client = scene.connect()) {
                        client.send("GET /v1/health HTTP/1.1\r\nX: " + "y".repeat(20_000));
                        client.awaitEnd();
                    }
                }),
        LOOKS_FOR_OTHER_PATHS(Refusal.UNKNOWN_PATH, scene -> scene.get("/admin", null)),
        LEAVES_THE_PATH(
                Refusal.UNKNOWN_PATH,
                scene -> scene.get("/v1/runs/demo/../../../etc/passwd", scene.bearer())),
        LOOKS_FOR_OTHER_RUNS(
                Refusal.OTHER_RUN,
                scene -> scene.get("/v1/runs/levee/models/newest", scene.bearer())),
        DELETES(
                Refusal.WRONG_METHOD,
                scene -> {
                    try (HttpsClient client = scene.connect()) {
                        client.request("DELETE", MODELS + VERSION, scene.bearer(), NONE);
                    }
                }),
        ASKS_FOR_NONSENSE(
                Refusal.WRONG_PARAMETER,
                scene -> scene.get(MODELS + "newest?after=latest&wait=NaN", scene.bearer())),
        HAS_NO_ACCOUNT(Refusal.NO_CREDENTIALS, scene -> scene.get(MODELS + "newest", null)),
        GUESSES_A_SECRET(
                Refusal.WRONG_CREDENTIALS,
                scene -> scene.get(MODELS + "newest", "w1." + Secrets.random())),
        USES_THE_SECRET_OF_ANOTHER(
                Refusal.WRONG_CREDENTIALS,
                scene -> scene.get(MODELS + "newest", "w2." + scene.secret())),
        WAS_REVOKED(
                Refusal.REVOKED,
                scene -> {
                    scene.gateway().revoke("w1");
                    scene.get(MODELS + "newest", scene.bearer());
                }),
        INVENTS_A_TOKEN(
                Refusal.UNKNOWN_TOKEN, scene -> enroll(scene, Secrets.random(), Secrets.random())),
        USES_A_TOKEN_AGAIN(
                Refusal.USED_TOKEN,
                scene -> {
                    String token = scene.gateway().offer("w2");
                    enroll(scene, token, "first");
                    enroll(scene, token, "second");
                    assertThat(scene.gateway().accounts().access("w2", "second").name())
                            .isEqualTo("UNKNOWN");
                }),
        COMES_TOO_LATE_WITH_ITS_TOKEN(
                Refusal.EXPIRED_TOKEN,
                scene -> {
                    String token = Secrets.random();
                    scene.gateway()
                            .accounts()
                            .apply(new AccountEvent.Offered("w2", Secrets.hash(token), 1), 0);
                    enroll(scene, token, "late");
                }),
        SENDS_A_BODY_WITHOUT_END(
                Refusal.NO_LENGTH,
                scene -> {
                    try (HttpsClient client = scene.connect()) {
                        client.send(
                                "PUT "
                                        + BLOCK
                                        + " HTTP/1.1\r\nHost: gateway\r\nTransfer-Encoding:"
                                        + " chunked\r\n\r\n");
                        assertThat(client.answer().status()).isEqualTo(411);
                    }
                }),
        CLAIMS_A_HUGE_BODY(
                Refusal.TOO_LARGE,
                scene -> {
                    try (HttpsClient client = scene.connect()) {
                        client.send(HttpsClient.header("PUT", BLOCK, scene.bearer(), 1L << 40, ""));
                        assertThat(client.answer().status()).isEqualTo(413);
                    }
                }),
        ASKS_FOR_BYTES_THAT_THERE_ARE_NOT(
                Refusal.WRONG_RANGE,
                scene -> {
                    try (HttpsClient client = scene.connect()) {
                        client.send(
                                HttpsClient.header(
                                        "GET",
                                        MODELS + VERSION,
                                        scene.bearer(),
                                        0,
                                        "Range: bytes=99999999-\r\n"));
                        assertThat(client.answer().status()).isEqualTo(416);
                    }
                }),
        ANSWERS_A_ROUND_LONG_OVER(
                Refusal.STALE,
                scene -> {
                    scene.gateway().publish(7 + 2000, false);
                    scene.gateway().publish(7 + 2001, false);
                    scene.put(BLOCK, scene.frame());
                }),
        ANSWERS_A_ROUND_TO_COME(
                Refusal.NOT_YET,
                scene ->
                        scene.put(
                                "/v1/runs/demo/contributions/" + RUN + "-8/1",
                                scene.gateway().frame(1, 8, 1))),
        ANSWERS_UNASKED(
                Refusal.NOT_ASKED,
                scene -> {
                    try (HttpsClient client = scene.connect()) {
                        client.request(
                                "PUT",
                                BLOCK,
                                "w3." + scene.gateway().enroll("w3"),
                                scene.gateway().frame(3, 7, 1));
                    }
                }),
        SENDS_NOISE(Refusal.MALFORMED, scene -> scene.put(BLOCK, new byte[300])),
        SENDS_A_BLOCK_TO_ANOTHERS_PLACE(
                Refusal.WRONG_PLACE,
                scene -> scene.put("/v1/runs/demo/contributions/" + VERSION + "/0", scene.frame())),
        SENDS_A_BLOCK_THAT_THERE_IS_NOT(
                Refusal.WRONG_PLACE,
                scene -> scene.put("/v1/runs/demo/contributions/" + VERSION + "/2", scene.frame())),
        SENDS_IN_THE_NAME_OF_ANOTHER(
                Refusal.OTHER_SENDER, scene -> scene.put(BLOCK, scene.gateway().frame(2, 7, 1))),
        SENDS_FEWER_VALUES(
                Refusal.WRONG_SIZE, scene -> scene.put(BLOCK, scene.gateway().shorter(1, 7))),
        CHANGES_VALUES_ON_THE_WAY(
                Refusal.ALTERED,
                scene -> {
                    byte[] frame = scene.frame();
                    frame[frame.length - 1] ^= 1;
                    scene.put(BLOCK, frame);
                }),
        SIGNS_WITH_ANOTHER_KEY(
                Refusal.FORGED,
                scene -> {
                    KeyDirectory keys = scene.gateway().keys();
                    SigningKey foreign =
                            keys.signing("w2").towards(keys.verifying(KeyDirectory.JOB));
                    scene.put(BLOCK, scene.gateway().frame(1, 7, 1, foreign));
                }),
        SENDS_SCORES_UNASKED(
                Refusal.NOT_ASKED,
                scene -> scene.put("/v1/runs/demo/scores/" + VERSION, scene.frame()));

        private final Refusal refusal;
        private final Act act;

        Kind(Refusal refusal, Act act) {
            this.refusal = refusal;
            this.act = act;
        }
    }

    private static void enroll(Scene scene, String token, String secret) throws Exception {
        byte[] body =
                ("{\"secret_sha256\":\"" + Secrets.hash(secret) + "\"}")
                        .getBytes(StandardCharsets.UTF_8);
        try (HttpsClient client = scene.connect()) {
            client.request("POST", "/v1/runs/demo/devices/w2", token, body);
        }
    }

    private static void assertServed(GatewayFixture gateway, String bearer) throws Exception {
        try (HttpsClient client = HttpsClient.connect(gateway.port())) {
            assertThat(client.request("GET", MODELS + "newest", bearer, NONE).status())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void isCountedAndNotBelieved(Kind kind) throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, true, GENEROUS)) {
            gateway.publish(7, false);
            String secret = gateway.enroll("w1");
            kind.act.on(new Scene(gateway, secret));
            Until.holds(() -> gateway.metrics().refused(kind.refusal) > 0);
            assertThat(gateway.topics().history()).isEmpty();
            Until.holds(() -> gateway.reserved() == 0);
            assertServed(gateway, "w0." + gateway.enroll("w0"));
        }
    }

    private static Limits limits(
            int connections, double requests, double ofAddress, long bytes, long memory) {
        return new Limits(
                connections,
                connections,
                requests,
                ofAddress,
                bytes,
                memory,
                GENEROUS.slowest(),
                GENEROUS.patience(),
                GENEROUS.idle(),
                GENEROUS.longestWait());
    }

    @Test
    void oneAddressHasSoManyConnections() throws Exception {
        try (GatewayFixture gateway =
                        new GatewayFixture(directory, true, limits(2, 1e6, 1e6, 1 << 30, 1 << 20));
                HttpsClient one = HttpsClient.connect(gateway.port());
                HttpsClient two = HttpsClient.connect(gateway.port())) {
            try (HttpsClient three = HttpsClient.plain(gateway.port())) {
                three.awaitEnd();
            }
            gateway.publish(7, false);
            assertThat(gateway.metrics().refused(Refusal.TOO_MANY_CONNECTIONS)).isEqualTo(1);
            for (HttpsClient each : new HttpsClient[] {one, two}) {
                assertThat(each.request("GET", "/v1/health", null, NONE).status()).isEqualTo(200);
            }
        }
    }

    @Test
    void aDeviceThatAsksTooOftenWaitsAndOthersDoNot() throws Exception {
        try (GatewayFixture gateway =
                        new GatewayFixture(
                                directory, true, limits(100, 0.5, 1e6, 1 << 30, 1 << 20));
                HttpsClient client = HttpsClient.connect(gateway.port())) {
            gateway.publish(7, false);
            String greedy = "w1." + gateway.enroll("w1");
            for (int i = 0; i < 5; i++) {
                assertThat(client.request("GET", MODELS + "newest", greedy, NONE).status())
                        .isEqualTo(200);
            }
            HttpsClient.Answer answer = client.request("GET", MODELS + "newest", greedy, NONE);
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.headers()).containsEntry("retry-after", "1");
            assertThat(gateway.metrics().refused(Refusal.DEVICE_RATE)).isEqualTo(1);
            assertServed(gateway, "w0." + gateway.enroll("w0"));
            gateway.pass(Duration.ofSeconds(2));
            assertThat(client.request("GET", MODELS + "newest", greedy, NONE).status())
                    .isEqualTo(200);
        }
    }

    @Test
    void whoTriesSecretsIsSoonShutOut() throws Exception {
        try (GatewayFixture gateway =
                        new GatewayFixture(
                                directory, true, limits(100, 1e6, 10, 1 << 30, 1 << 20));
                HttpsClient client = HttpsClient.connect(gateway.port())) {
            int tries = 0;
            while (client.request("GET", MODELS + "newest", "w1." + tries, NONE).status() == 401) {
                tries++;
            }
            assertThat(tries).isEqualTo(5); // 100 at once, 20 for each
            assertThat(gateway.metrics().refused(Refusal.ADDRESS_RATE)).isEqualTo(1);
        }
    }

    @Test
    void aDeviceMovesSoManyBytes() throws Exception {
        try (GatewayFixture gateway =
                        new GatewayFixture(
                                directory, true, limits(100, 1e6, 1e6, 10_000, 1 << 20));
                HttpsClient client = HttpsClient.connect(gateway.port())) {
            gateway.publish(7, false);
            String bearer = "w1." + gateway.enroll("w1");
            assertThat(client.request("GET", MODELS + VERSION, bearer, NONE).status())
                    .isEqualTo(200);
            assertThat(client.request("PUT", BLOCK, bearer, gateway.frame(1, 7, 1)).status())
                    .isEqualTo(429);
            assertThat(gateway.metrics().refused(Refusal.DEVICE_BYTES)).isEqualTo(1);
            assertThat(gateway.topics().history()).isEmpty();
        }
    }

    /** Or a device with a bad link could not afford to continue the download of a large model. */
    @Test
    void aDownloadThatIsInterruptedCostsTheBytesThatWereSent() throws Exception {
        try (GatewayFixture gateway =
                new GatewayFixture(directory, true, limits(100, 1e6, 1e6, 50_000, 1 << 20))) {
            gateway.publish(7, false);
            String bearer = "w1." + gateway.enroll("w1");
            try (HttpsClient client = HttpsClient.narrow(gateway.port())) {
                client.send(HttpsClient.header("GET", MODELS + VERSION, bearer, 0, ""));
                Until.holds(() -> gateway.metrics().sent.sum() > 0);
            }
            try (HttpsClient client = HttpsClient.connect(gateway.port())) {
                String range =
                        HttpsClient.header(
                                "GET", MODELS + VERSION, bearer, 0, "Range: bytes=0-0\r\n");
                Until.holds(() -> client.send(range).answer().status() == 206);
            }
        }
    }

    @Test
    void contributionsHaveSoMuchMemoryTogether() throws Exception {
        try (GatewayFixture gateway =
                        new GatewayFixture(directory, true, limits(100, 1e6, 1e6, 1 << 30, 5000));
                HttpsClient one = HttpsClient.connect(gateway.port());
                HttpsClient two = HttpsClient.connect(gateway.port())) {
            gateway.publish(7, false);
            String bearer = "w1." + gateway.enroll("w1");
            byte[] frame = gateway.frame(1, 7, 1); // 4200 bytes
            one.send(HttpsClient.header("PUT", BLOCK, bearer, frame.length, ""));
            Until.holds(() -> gateway.reserved() > 0);
            HttpsClient.Answer full = two.request("PUT", BLOCK, bearer, frame);
            assertThat(full.status()).isEqualTo(503);
            assertThat(full.headers()).containsKey("retry-after");
            one.send(frame);
            assertThat(one.answer().status()).isEqualTo(204);
            assertThat(two.request("PUT", BLOCK, bearer, frame).status()).isEqualTo(204);
            assertThat(gateway.metrics().refused(Refusal.NO_MEMORY)).isEqualTo(1);
        }
    }

    /** A client that asks for a model and reads none of it holds no copy, and is cut off. */
    @Test
    void whoReadsNothingIsCutOff() throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, true, GENEROUS)) {
            gateway.publish(7, false);
            String bearer = "w1." + gateway.enroll("w1");
            try (HttpsClient client = HttpsClient.narrow(gateway.port())) {
                String request = HttpsClient.header("GET", MODELS + VERSION, bearer, 0, "");
                // More than all buffers on the way hold.
                client.send(request);
                Until.holds(() -> gateway.metrics().sent.sum() > 0);
                Until.holds(
                        () -> {
                            gateway.pass(Duration.ofMinutes(10));
                            return gateway.metrics().refused(Refusal.SLOW_READER) > 0;
                        });
            }
            assertServed(gateway, "w0." + gateway.enroll("w0"));
        }
    }
}
