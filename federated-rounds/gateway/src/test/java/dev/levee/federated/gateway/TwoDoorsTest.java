package dev.levee.federated.gateway;

import static dev.levee.federated.gateway.GatewayFixture.GENEROUS;
import static dev.levee.federated.gateway.GatewayFixture.NAME;
import static dev.levee.federated.gateway.GatewayFixture.RUN;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.federated.gateway.internal.proto.NewestReply;
import dev.levee.federated.gateway.internal.proto.NewestRequest;
import dev.levee.federated.gateway.internal.proto.UploadReply;
import dev.levee.federated.gateway.internal.proto.UploadRequest;
import dev.levee.federated.gateway.limit.Limits;
import dev.levee.federated.gateway.metrics.Refusal;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** What gRPC adds to HTTPS, and what it shares with it: accounts, limits and counters. */
@Tag("long")
class TwoDoorsTest {
    private static final String NEWEST = "/v1/runs/demo/models/newest";
    private static final String BLOCK = "/v1/runs/demo/contributions/" + RUN + "-7/1";
    private static final byte[] NONE = {};

    @TempDir static Path directory;

    private static Limits limits(int connections, double requests) {
        return new Limits(
                connections,
                connections,
                requests,
                1e6,
                1 << 30,
                64 << 20,
                GENEROUS.slowest(),
                GENEROUS.patience(),
                GENEROUS.idle(),
                GENEROUS.longestWait());
    }

    @Test
    void aDeviceHasOneRateAndOneAccountForBoth() throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, true, limits(100, 0.5));
                HttpsClient https = HttpsClient.connect(gateway.port());
                GrpcClient grpc = new GrpcClient(gateway)) {
            gateway.publish(7, false);
            String bearer = "w1." + gateway.enroll("w1");
            for (int i = 0; i < 4; i++) {
                assertThat(https.request("GET", NEWEST, bearer, NONE).status()).isEqualTo(200);
            }
            assertThat(grpc.newest(NAME, bearer).isOk()).isTrue();
            CompletableFuture<Throwable> failure = new CompletableFuture<>();
            grpc.as(bearer)
                    .newest(
                            NewestRequest.newBuilder().setRun(NAME).build(),
                            new StreamObserver<NewestReply>() {
                                @Override
                                public void onNext(NewestReply reply) {}

                                @Override
                                public void onError(Throwable cause) {
                                    failure.complete(cause);
                                }

                                @Override
                                public void onCompleted() {}
                            });
            StatusRuntimeException refused = (StatusRuntimeException) failure.get();
            assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(trailer(refused, "levee-reason")).isEqualTo("device_rate");
            assertThat(trailer(refused, "retry-after")).isEqualTo("1");
            assertThat(https.request("GET", NEWEST, bearer, NONE).status()).isEqualTo(429);
            assertThat(gateway.metrics().refused(Refusal.DEVICE_RATE)).isEqualTo(2);
        }
    }

    private static String trailer(StatusRuntimeException refused, String name) {
        return refused.getTrailers().get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
    }

    @Test
    void anAddressHasSoManyConnectionsOfBothKinds() throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, true, limits(2, 1e6));
                GrpcClient grpc = new GrpcClient(gateway);
                HttpsClient https = HttpsClient.connect(gateway.port())) {
            gateway.publish(7, false);
            String bearer = "w1." + gateway.enroll("w1");
            assertThat(grpc.newest(NAME, bearer).isOk()).isTrue();
            try (HttpsClient third = HttpsClient.plain(gateway.grpcPort())) {
                third.awaitEnd();
            }
            assertThat(gateway.metrics().refused(Refusal.TOO_MANY_CONNECTIONS)).isEqualTo(1);
            assertThat(https.request("GET", NEWEST, bearer, NONE).status()).isEqualTo(200);
            grpc.close();
            Until.holds(() -> gateway.connections() == 1);
            assertThat(gateway.metrics().refused(Refusal.NOT_HTTP))
                    .as("a client that leaves has done nothing wrong")
                    .isZero();
        }
    }

    @Test
    void aConnectionWithoutCallsEndsWithoutAFault() throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, true, GENEROUS);
                GrpcClient grpc = new GrpcClient(gateway)) {
            gateway.publish(7, false);
            String bearer = "w1." + gateway.enroll("w1");
            assertThat(grpc.newest(NAME, bearer).isOk()).isTrue();
            Until.holds(
                    () -> {
                        gateway.pass(Duration.ofMinutes(1));
                        return gateway.connections() == 0;
                    });
            for (Refusal each : Refusal.values()) {
                assertThat(gateway.metrics().refused(each)).as(each.name()).isZero();
            }
        }
    }

    /** Else clients that leave at once could have it all, over and over. */
    @Test
    void aBlockHasItsMemoryUntilKafkaHasItThoughItsClientHasLeft() throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, false, GENEROUS)) {
            gateway.publish(7, false);
            String bearer = "w1." + gateway.enroll("w1");
            byte[] frame = gateway.frame(1, 7, 1);
            try (GrpcClient grpc = new GrpcClient(gateway)) {
                StreamObserver<UploadRequest> call =
                        grpc.as(bearer).upload(new GrpcClient.Answers<UploadReply>());
                call.onNext(GrpcClient.block(RUN + "-7", 1, frame.length));
                call.onNext(GrpcClient.bytes(0, frame, 0, frame.length));
                Until.holds(() -> gateway.topics().history().size() == 1);
            }
            assertHeldUntilKafkaHasIt(gateway, frame.length);
            try (HttpsClient https = HttpsClient.connect(gateway.port())) {
                https.send(HttpsClient.header("PUT", BLOCK, bearer, frame.length, "")).send(frame);
                Until.holds(() -> gateway.topics().history().size() == 2);
            }
            assertHeldUntilKafkaHasIt(gateway, frame.length);
        }
    }

    private static void assertHeldUntilKafkaHasIt(GatewayFixture gateway, int length)
            throws Exception {
        Until.holds(() -> gateway.connections() == 0);
        assertThat(gateway.reserved()).isEqualTo(length);
        assertThat(gateway.topics().completeNext()).isTrue();
        Until.holds(() -> gateway.reserved() == 0);
    }

    /** Two blocks in one call, in pieces; the gateway acknowledges neither before Kafka does. */
    @Test
    void aBlockIsAcknowledgedWhenKafkaHasIt() throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, false, GENEROUS);
                GrpcClient grpc = new GrpcClient(gateway)) {
            gateway.publish(7, false);
            GrpcClient.Answers<UploadReply> answers = new GrpcClient.Answers<>();
            StreamObserver<UploadRequest> call =
                    grpc.as("w1." + gateway.enroll("w1")).upload(answers);
            for (int block = 0; block < 2; block++) {
                byte[] frame = gateway.frame(1, 7, block);
                call.onNext(GrpcClient.block(RUN + "-7", block, frame.length));
                for (int at = 0; at < frame.length; at += 60_000) {
                    int length = Math.min(60_000, frame.length - at);
                    call.onNext(GrpcClient.bytes(at, frame, at, length));
                }
            }
            call.onCompleted();
            for (int block = 0; block < 2; block++) {
                int records = block + 1;
                Until.holds(() -> gateway.topics().history().size() == records);
                assertThat(answers.each).isEmpty();
                assertThat(gateway.topics().history().get(block).value())
                        .isEqualTo(gateway.frame(1, 7, block));
                gateway.topics().completeNext();
                assertThat(answers.each.take().getBlock()).isEqualTo(block);
            }
            assertThat(answers.status.get().isOk()).isTrue();
            assertThat(gateway.metrics().acknowledged.sum()).isEqualTo(2);
            assertThat(gateway.reserved()).isZero();
        }
    }

    @Test
    void whoWaitsIsToldWhenThereIsAVersionOrWhenTimeIsUp() throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, true, GENEROUS);
                GrpcClient grpc = new GrpcClient(gateway)) {
            gateway.publish(7, false);
            NewestRequest request =
                    NewestRequest.newBuilder()
                            .setRun(NAME)
                            .setAfter(RUN + "-7")
                            .setWaitSeconds(30)
                            .build();
            String bearer = "w1." + gateway.enroll("w1");
            GrpcClient.Answers<NewestReply> one = new GrpcClient.Answers<>();
            grpc.as(bearer).newest(request, one);
            Until.holds(() -> gateway.models().waiting() == 1);
            gateway.publish(8, false);
            assertThat(one.each.take().getVersion().getId()).isEqualTo(RUN + "-8");
            GrpcClient.Answers<NewestReply> two = new GrpcClient.Answers<>();
            grpc.as(bearer).newest(request.toBuilder().setAfter(RUN + "-8").build(), two);
            Until.holds(() -> gateway.models().waiting() == 1);
            // The deadline counts from a moment after the client has begun to wait.
            Until.holds(
                    () -> {
                        gateway.pass(Duration.ofSeconds(31));
                        return !two.each.isEmpty();
                    });
            assertThat(two.each.take().hasVersion()).isFalse();
            Until.holds(() -> gateway.models().waiting() == 0);
        }
    }
}
