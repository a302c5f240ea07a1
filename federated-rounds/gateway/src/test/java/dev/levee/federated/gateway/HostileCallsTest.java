package dev.levee.federated.gateway;

import static dev.levee.federated.gateway.GatewayFixture.GENEROUS;
import static dev.levee.federated.gateway.GatewayFixture.NAME;
import static dev.levee.federated.gateway.GatewayFixture.RUN;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.federated.gateway.account.Secrets;
import dev.levee.federated.gateway.internal.proto.DownloadReply;
import dev.levee.federated.gateway.internal.proto.DownloadRequest;
import dev.levee.federated.gateway.internal.proto.EnrollReply;
import dev.levee.federated.gateway.internal.proto.EnrollRequest;
import dev.levee.federated.gateway.internal.proto.GatewayGrpc;
import dev.levee.federated.gateway.internal.proto.NewestReply;
import dev.levee.federated.gateway.internal.proto.NewestRequest;
import dev.levee.federated.gateway.internal.proto.UploadReply;
import dev.levee.federated.gateway.internal.proto.UploadRequest;
import dev.levee.federated.gateway.limit.Limits;
import dev.levee.federated.gateway.metrics.Refusal;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Clients of many kinds that speak gRPC, or do not: each is counted under its reason, nothing of
 * what it sends reaches a topic, and others are served as ever.
 */
@Tag("long")
class HostileCallsTest {
    private static final String VERSION = RUN + "-7";
    private static final int LENGTH = 4200;

    @TempDir static Path directory;

    /** A gateway, a client, and the account that it has got hold of: that of w1. */
    private record Scene(GatewayFixture gateway, GrpcClient client, String bearer) {
        byte[] frame() {
            return gateway.frame(1, 7, 1);
        }

        /** Sends a block, and expects to be refused. */
        void send(Status.Code code, byte[] frame) throws Exception {
            upload(code, begin(frame.length), bytes(frame));
        }

        void upload(Status.Code code, UploadRequest... requests) throws Exception {
            assertThat(client.upload(bearer, requests).getCode()).isEqualTo(code);
        }

        /** Begins a block and sends some of it. */
        StreamObserver<UploadRequest> half(GrpcClient.Answers<UploadReply> answers)
                throws Exception {
            StreamObserver<UploadRequest> call = client.as(bearer).upload(answers);
            call.onNext(begin(LENGTH));
            call.onNext(GrpcClient.bytes(0, frame(), 0, 100));
            Until.holds(() -> gateway.reserved() > 0);
            return call;
        }

        /** Lets time continue until the gateway has enough of it. */
        void passUntil(Refusal refusal) throws Exception {
            Until.holds(
                    () -> {
                        gateway.pass(Duration.ofMinutes(10));
                        return gateway.metrics().refused(refusal) > 0;
                    });
        }

        /** Calls a method with bytes that are no message of it. */
        Status call(String method, byte[] message) {
            MethodDescriptor<byte[], UploadReply> descriptor =
                    MethodDescriptor.<byte[], UploadReply>newBuilder()
                            .setType(MethodDescriptor.MethodType.UNARY)
                            .setFullMethodName(
                                    MethodDescriptor.generateFullMethodName(
                                            GatewayGrpc.SERVICE_NAME, method))
                            .setRequestMarshaller(new Raw())
                            .setResponseMarshaller(
                                    ProtoUtils.marshaller(UploadReply.getDefaultInstance()))
                            .build();
            try {
                ClientCalls.blockingUnaryCall(
                        client.channel(), descriptor, CallOptions.DEFAULT, message);
                return Status.OK;
            } catch (RuntimeException e) {
                return Status.fromThrowable(e);
            }
        }
    }

    private static final class Raw implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            throw new UnsupportedOperationException();
        }
    }

    private static UploadRequest begin(int length) {
        return GrpcClient.block(VERSION, 1, length);
    }

    private static UploadRequest bytes(byte[] frame) {
        return GrpcClient.bytes(0, frame, 0, frame.length);
    }

    private interface Act {
        void on(Scene scene) throws Exception;
    }

    private enum Kind {
        SPEAKS_NO_TLS(
                Refusal.HANDSHAKE,
                scene -> {
                    try (HttpsClient client = HttpsClient.plain(scene.gateway().grpcPort())) {
                        client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
                        client.awaitEnd();
                    }
                }),
        SAYS_NOTHING(
                Refusal.SLOW_HEADER,
                scene -> {
                    try (HttpsClient client = HttpsClient.connect(scene.gateway().grpcPort())) {
                        scene.passUntil(Refusal.SLOW_HEADER);
                        client.awaitEnd();
                    }
                }),
        SPEAKS_NO_HTTP2(
                Refusal.NOT_HTTP,
                scene -> {
                    try (HttpsClient client = HttpsClient.connect(scene.gateway().grpcPort())) {
                        client.send("GET /v1/health HTTP/1.1\r\nHost: gateway\r\n\r\n");
                        client.awaitEnd();
                    }
                }),
        SENDS_A_FRAME_OF_NOISE(
                Refusal.NOT_HTTP,
                scene -> {
                    try (HttpsClient client = HttpsClient.connect(scene.gateway().grpcPort())) {
                        client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
                        client.send("\0\0\0\4\0\0\0\0\0"); // SETTINGS
                        client.send("\0\0\5\4\0\0\0\0\0levee");
                        client.awaitEnd();
                    }
                }),
        HAS_NO_ACCOUNT(
                Refusal.NO_CREDENTIALS,
                scene -> {
                    Status status = scene.client().newest(NAME, null);
                    assertThat(status.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
                    assertThat(status.getDescription())
                            .isEqualTo("no secret and no client certificate");
                }),
        GUESSES_A_SECRET(
                Refusal.WRONG_CREDENTIALS,
                scene ->
                        assertThat(scene.client().newest(NAME, "w1." + Secrets.random()).getCode())
                                .isEqualTo(Status.Code.UNAUTHENTICATED)),
        WAS_REVOKED(
                Refusal.REVOKED,
                scene -> {
                    scene.gateway().revoke("w1");
                    Status status = scene.client().newest(NAME, scene.bearer());
                    assertThat(status.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
                    assertThat(status.getDescription()).isEqualTo("the account has been revoked");
                }),
        WAS_REVOKED_DURING_ITS_CALL(
                Refusal.REVOKED,
                scene -> {
                    GrpcClient.Answers<UploadReply> answers = new GrpcClient.Answers<>();
                    StreamObserver<UploadRequest> call =
                            scene.client().as(scene.bearer()).upload(answers);
                    scene.gateway().revoke("w1");
                    call.onNext(begin(LENGTH));
                    assertThat(answers.status.get().getCode())
                            .isEqualTo(Status.Code.PERMISSION_DENIED);
                }),
        INVENTS_A_TOKEN(
                Refusal.UNKNOWN_TOKEN,
                scene -> {
                    GrpcClient.Answers<EnrollReply> answers = new GrpcClient.Answers<>();
                    scene.client()
                            .as(Secrets.random())
                            .enroll(
                                    EnrollRequest.newBuilder()
                                            .setRun(NAME)
                                            .setDevice("w2")
                                            .setSecretSha256(Secrets.hash("secret"))
                                            .build(),
                                    answers);
                    assertThat(answers.status.get().getCode())
                            .isEqualTo(Status.Code.UNAUTHENTICATED);
                }),
        LOOKS_FOR_OTHER_RUNS(
                Refusal.OTHER_RUN,
                scene ->
                        assertThat(scene.client().newest("levee", scene.bearer()).getCode())
                                .isEqualTo(Status.Code.NOT_FOUND)),
        CALLS_WHAT_THERE_IS_NOT(
                Refusal.UNKNOWN_PATH,
                scene ->
                        assertThat(scene.call("Delete", new byte[0]).getCode())
                                .isEqualTo(Status.Code.UNIMPLEMENTED)),
        SENDS_NO_MESSAGE_OF_THE_CALL(
                Refusal.MALFORMED,
                scene ->
                        assertThat(scene.call("Newest", new byte[] {10, 127, 1}).isOk()).isFalse()),
        SENDS_A_LARGE_MESSAGE(Refusal.TOO_LARGE, scene -> scene.call("Newest", new byte[100_000])),
        CLAIMS_A_HUGE_BLOCK(
                Refusal.TOO_LARGE,
                scene -> scene.upload(Status.Code.INVALID_ARGUMENT, begin(1 << 30))),
        CLAIMS_A_BLOCK_OF_LESS_THAN_NOTHING(
                Refusal.WRONG_PARAMETER,
                scene -> scene.upload(Status.Code.INVALID_ARGUMENT, begin(-5))),
        LEAVES_A_GAP(
                Refusal.WRONG_RANGE,
                scene ->
                        scene.upload(
                                Status.Code.OUT_OF_RANGE,
                                begin(LENGTH),
                                GrpcClient.bytes(10, scene.frame(), 10, 100))),
        SENDS_BYTES_TWICE(
                Refusal.WRONG_RANGE,
                scene ->
                        scene.upload(
                                Status.Code.OUT_OF_RANGE,
                                begin(LENGTH),
                                GrpcClient.bytes(0, scene.frame(), 0, 100),
                                GrpcClient.bytes(0, scene.frame(), 0, 100))),
        SENDS_MORE_THAN_IT_HAS_SAID(
                Refusal.WRONG_RANGE,
                scene -> scene.upload(Status.Code.OUT_OF_RANGE, begin(300), bytes(scene.frame()))),
        SENDS_BYTES_OF_NO_BLOCK(
                Refusal.WRONG_PARAMETER,
                scene -> scene.upload(Status.Code.INVALID_ARGUMENT, bytes(scene.frame()))),
        BEGINS_A_BLOCK_IN_ANOTHER(
                Refusal.WRONG_PARAMETER,
                scene -> scene.upload(Status.Code.INVALID_ARGUMENT, begin(LENGTH), begin(LENGTH))),
        ENDS_IN_THE_MIDDLE_OF_A_BLOCK(
                Refusal.TRUNCATED,
                scene -> scene.upload(Status.Code.INVALID_ARGUMENT, begin(LENGTH))),
        LEAVES_IN_THE_MIDDLE_OF_A_BLOCK(
                Refusal.TRUNCATED,
                scene -> scene.half(new GrpcClient.Answers<>()).onError(new Exception("bye"))),
        IS_SILENT_IN_THE_MIDDLE_OF_A_BLOCK(
                Refusal.SLOW_BODY,
                scene -> {
                    GrpcClient.Answers<UploadReply> answers = new GrpcClient.Answers<>();
                    scene.half(answers);
                    scene.passUntil(Refusal.SLOW_BODY);
                    assertThat(answers.status.get().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
                }),
        BEGINS_A_CALL_AND_SENDS_NO_MESSAGE(
                Refusal.SLOW_BODY,
                scene -> {
                    CompletableFuture<Status> end = new CompletableFuture<>();
                    ClientCall<NewestRequest, NewestReply> call =
                            scene.client()
                                    .channel()
                                    .newCall(GatewayGrpc.getNewestMethod(), CallOptions.DEFAULT);
                    call.start(
                            new ClientCall.Listener<>() {
                                @Override
                                public void onClose(Status status, Metadata trailers) {
                                    end.complete(status);
                                }
                            },
                            new Metadata());
                    // The answer to a later call shows that this one has arrived.
                    assertThat(scene.client().newest(NAME, scene.bearer()).isOk()).isTrue();
                    scene.passUntil(Refusal.SLOW_BODY);
                    assertThat(end.get().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
                }),
        READS_NOTHING(
                Refusal.SLOW_READER,
                scene -> {
                    ClientCall<DownloadRequest, DownloadReply> call =
                            scene.client()
                                    .as(scene.bearer())
                                    .getChannel()
                                    .newCall(GatewayGrpc.getDownloadMethod(), CallOptions.DEFAULT);
                    call.start(new ClientCall.Listener<>() {}, new Metadata());
                    call.sendMessage(
                            DownloadRequest.newBuilder().setRun(NAME).setId(VERSION).build());
                    call.halfClose();
                    Until.holds(() -> scene.gateway().metrics().sent.sum() > 0);
                    scene.passUntil(Refusal.SLOW_READER);
                }),
        ASKS_FOR_BYTES_THAT_THERE_ARE_NOT(
                Refusal.WRONG_RANGE,
                scene -> {
                    GrpcClient.Answers<DownloadReply> answers = new GrpcClient.Answers<>();
                    scene.client()
                            .as(scene.bearer())
                            .download(
                                    DownloadRequest.newBuilder()
                                            .setRun(NAME)
                                            .setId(VERSION)
                                            .setOffset(99_999_999)
                                            .build(),
                                    answers);
                    assertThat(answers.status.get().getCode()).isEqualTo(Status.Code.OUT_OF_RANGE);
                }),
        SENDS_NOISE(
                Refusal.MALFORMED,
                scene -> scene.send(Status.Code.INVALID_ARGUMENT, new byte[300])),
        SENDS_IN_THE_NAME_OF_ANOTHER(
                Refusal.OTHER_SENDER,
                scene -> scene.send(Status.Code.PERMISSION_DENIED, scene.gateway().frame(2, 7, 1))),
        SIGNS_WITH_ANOTHER_KEY(
                Refusal.FORGED,
                scene -> {
                    KeyDirectory keys = scene.gateway().keys();
                    scene.send(
                            Status.Code.PERMISSION_DENIED,
                            scene.gateway()
                                    .frame(
                                            1,
                                            7,
                                            1,
                                            keys.signing("w2")
                                                    .towards(keys.verifying(KeyDirectory.JOB))));
                });

        private final Refusal refusal;
        private final Act act;

        Kind(Refusal refusal, Act act) {
            this.refusal = refusal;
            this.act = act;
        }
    }

    /** Takes one piece of a download, and cancels the call. */
    private static final class Leaving
            implements ClientResponseObserver<DownloadRequest, DownloadReply> {
        private final CompletableFuture<Status> end = new CompletableFuture<>();
        private ClientCallStreamObserver<DownloadRequest> call;

        @Override
        public void beforeStart(ClientCallStreamObserver<DownloadRequest> started) {
            call = started;
            call.disableAutoRequestWithInitial(1);
        }

        @Override
        public void onNext(DownloadReply piece) {
            call.cancel("enough", null);
        }

        @Override
        public void onError(Throwable cause) {
            end.complete(Status.fromThrowable(cause));
        }

        @Override
        public void onCompleted() {
            end.complete(Status.OK);
        }
    }

    /** Or a device with a bad link could not afford to continue the download of a large model. */
    @Test
    void aDownloadThatIsInterruptedCostsTheBytesThatWereSent() throws Exception {
        Limits few =
                new Limits(
                        GENEROUS.connections(),
                        GENEROUS.connectionsPerAddress(),
                        GENEROUS.requestsPerSecond(),
                        GENEROUS.addressRequestsPerSecond(),
                        50_000,
                        GENEROUS.uploadBytes(),
                        GENEROUS.slowest(),
                        GENEROUS.patience(),
                        GENEROUS.idle(),
                        GENEROUS.longestWait());
        try (GatewayFixture gateway = new GatewayFixture(directory, true, few);
                GrpcClient client = new GrpcClient(gateway)) {
            gateway.publish(7, false);
            String bearer = "w1." + gateway.enroll("w1");
            DownloadRequest whole =
                    DownloadRequest.newBuilder().setRun(NAME).setId(VERSION).build();
            // Until the gateway knows that the first call has ended, it refuses others.
            for (int interrupted = 0; interrupted < 3; interrupted++) {
                Until.holds(
                        () -> {
                            Leaving leaving = new Leaving();
                            client.as(bearer).download(whole, leaving);
                            return leaving.end.get().getCode() == Status.Code.CANCELLED;
                        });
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void isCountedAndNotBelieved(Kind kind) throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, true, GENEROUS);
                GrpcClient client = new GrpcClient(gateway)) {
            gateway.publish(7, false);
            kind.act.on(new Scene(gateway, client, "w1." + gateway.enroll("w1")));
            Until.holds(() -> gateway.metrics().refused(kind.refusal) > 0);
            assertThat(gateway.topics().history()).isEmpty();
            Until.holds(() -> gateway.reserved() == 0);
            try (GrpcClient other = new GrpcClient(gateway)) {
                assertThat(other.newest(NAME, "w0." + gateway.enroll("w0")).isOk()).isTrue();
            }
        }
    }
}
