package dev.levee.federated.gateway.device;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;

import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.federated.gateway.internal.proto.Block;
import dev.levee.federated.gateway.internal.proto.Bytes;
import dev.levee.federated.gateway.internal.proto.DownloadReply;
import dev.levee.federated.gateway.internal.proto.DownloadRequest;
import dev.levee.federated.gateway.internal.proto.EnrollRequest;
import dev.levee.federated.gateway.internal.proto.GatewayGrpc;
import dev.levee.federated.gateway.internal.proto.GatewayGrpc.GatewayStub;
import dev.levee.federated.gateway.internal.proto.NewestReply;
import dev.levee.federated.gateway.internal.proto.NewestRequest;
import dev.levee.federated.gateway.internal.proto.ScoreRequest;
import dev.levee.federated.gateway.internal.proto.ToldReply;
import dev.levee.federated.gateway.internal.proto.ToldRequest;
import dev.levee.federated.gateway.internal.proto.UploadReply;
import dev.levee.federated.gateway.internal.proto.UploadRequest;
import dev.levee.federated.gateway.internal.proto.Version;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.grpc.netty.shaded.io.netty.handler.ssl.JdkSslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;

import org.apache.kafka.common.errors.TimeoutException;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Sends a device's requests to a gateway over gRPC ({@code gateway.proto}), in one connection.
 * Contributions are sent in one call. If it is interrupted, a new call continues with the
 * interrupted block.
 */
final class GrpcGateway implements GatewayClient {
    private static final Duration ANSWER = Duration.ofSeconds(60);
    private static final int PORT = 443;
    private static final int PIECE = 1 << 15;
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final URI gateway;
    private final String run;
    private final Account account;
    private final SslContext tls;
    private ManagedChannel channel;
    private int users;

    /** The call that sends contributions, null if there is none. */
    private Upload upload;

    /**
     * Creates a client without sending a request.
     *
     * @throws IllegalArgumentException if a file of the device is wrong; one sentence
     */
    GrpcGateway(URI gateway, String run, DeviceFiles files) {
        this.gateway = gateway;
        this.run = run;
        this.account = new Account(files);
        this.tls =
                new JdkSslContext(
                        files.tls(),
                        true,
                        null,
                        IdentityCipherSuiteFilter.INSTANCE,
                        new ApplicationProtocolConfig(
                                ApplicationProtocolConfig.Protocol.ALPN,
                                ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                                ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                                "h2"),
                        ClientAuth.NONE,
                        new String[] {"TLSv1.3"},
                        false);
    }

    @Override
    public Optional<News> newest(String after, Duration wait) throws InterruptedException {
        NewestRequest request =
                NewestRequest.newBuilder()
                        .setRun(run)
                        .setAfter(after)
                        .setWaitSeconds((int) wait.toSeconds())
                        .build();
        NewestReply reply = one(stub()::newest, request, wait.plus(ANSWER));
        if (!reply.hasVersion()) {
            return Optional.empty();
        }
        Version version = reply.getVersion();
        return Optional.of(
                new News(
                        version.getRun(),
                        version.getVersion(),
                        version.getId(),
                        version.getBytes(),
                        version.getEtag(),
                        version.getConcerns()));
    }

    @Override
    public boolean download(News version, long from, Output output) throws InterruptedException {
        AwaitedAnswer<DownloadRequest, DownloadReply> pieces = new AwaitedAnswer<>();
        stub().download(
                        DownloadRequest.newBuilder()
                                .setRun(run)
                                .setId(version.id())
                                .setOffset(from)
                                .setEtag(version.etag())
                                .build(),
                        pieces);
        try {
            for (Optional<DownloadReply> piece = pieces.take(ANSWER);
                    piece.isPresent();
                    piece = pieces.take(ANSWER)) {
                byte[] bytes = piece.get().getData().toByteArray();
                output.write(bytes, bytes.length);
            }
            return true;
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
                return false;
            }
            throw failed(e);
        }
    }

    @Override
    public void contribute(Frame frame, byte[] bytes) throws InterruptedException {
        Upload call =
                upload == null || upload.answers.ended() ? new Upload(stub()::upload) : upload;
        upload = null;
        deliver(call, frame, bytes);
        if (!Upload.last(frame)) {
            upload = call;
        }
    }

    /** Sends a block in a call, and cancels the call unless the block is acknowledged. */
    private void deliver(Upload call, Frame frame, byte[] bytes) throws InterruptedException {
        boolean acknowledged = false;
        try {
            call.send(frame, bytes);
            acknowledged = true;
        } catch (StatusRuntimeException e) {
            throw failed(e);
        } finally {
            if (!acknowledged) {
                call.answers.cancel();
            }
        }
    }

    /** A call that sends blocks. */
    private final class Upload {
        private final AwaitedAnswer<UploadRequest, UploadReply> answers = new AwaitedAnswer<>();
        private final StreamObserver<UploadRequest> blocks;

        Upload(Function<StreamObserver<UploadReply>, StreamObserver<UploadRequest>> call) {
            blocks = call.apply(answers);
        }

        /** True if a frame is the last block, after which the call ends. */
        static boolean last(Frame frame) {
            return frame.block() == frame.blocks() - 1;
        }

        void send(Frame frame, byte[] bytes) throws InterruptedException {
            blocks.onNext(
                    UploadRequest.newBuilder()
                            .setBlock(
                                    Block.newBuilder()
                                            .setRun(run)
                                            .setId(GatewayClient.id(frame))
                                            .setBlock(frame.block())
                                            .setLength(bytes.length))
                            .build());
            for (int at = 0; at < bytes.length; at += PIECE) {
                int length = Math.min(PIECE, bytes.length - at);
                blocks.onNext(
                        UploadRequest.newBuilder()
                                .setBytes(
                                        Bytes.newBuilder()
                                                .setOffset(at)
                                                .setData(
                                                        UnsafeByteOperations.unsafeWrap(
                                                                bytes, at, length)))
                                .build());
            }
            UploadReply reply =
                    answers.take(ANSWER)
                            .orElseThrow(
                                    () ->
                                            Status.UNAVAILABLE
                                                    .withDescription("the gateway has hung up")
                                                    .asRuntimeException());
            if (reply.getBlock() != frame.block()) {
                throw Status.UNKNOWN
                        .withDescription("the gateway acknowledges another block")
                        .asRuntimeException();
            }
            if (last(frame)) {
                blocks.onCompleted();
                answers.take(ANSWER);
            }
        }
    }

    @Override
    public void score(Frame frame, byte[] bytes) throws InterruptedException {
        ScoreRequest request =
                ScoreRequest.newBuilder()
                        .setRun(run)
                        .setId(GatewayClient.id(frame))
                        .setFrame(UnsafeByteOperations.unsafeWrap(bytes))
                        .build();
        one(stub()::score, request, ANSWER);
    }

    @Override
    public void say(Frame frame, byte[] bytes) throws InterruptedException {
        deliver(new Upload(stub()::say), frame, bytes);
    }

    @Override
    public List<byte[]> told(String id, int from, Duration wait) throws InterruptedException {
        ToldRequest request =
                ToldRequest.newBuilder()
                        .setRun(run)
                        .setId(id)
                        .setFrom(from)
                        .setWaitSeconds((int) wait.toSeconds())
                        .build();
        ToldReply reply = one(stub()::told, request, wait.plus(ANSWER));
        return reply.getFramesList().stream().map(ByteString::toByteArray).toList();
    }

    private void enroll(String device, String token, String secret) throws InterruptedException {
        EnrollRequest request =
                EnrollRequest.newBuilder()
                        .setRun(run)
                        .setDevice(device)
                        .setSecretSha256(secret)
                        .build();
        one(showing(token)::enroll, request, ANSWER);
    }

    private <Q, A> A one(BiConsumer<Q, StreamObserver<A>> call, Q request, Duration time)
            throws InterruptedException {
        AwaitedAnswer<Q, A> answer = new AwaitedAnswer<>();
        try {
            call.accept(request, answer);
            return answer.take(time).orElseThrow();
        } catch (StatusRuntimeException e) {
            throw failed(e);
        }
    }

    /** Adds the account's bearer token. Enrolls first if there is an enrollment token. */
    private GatewayStub stub() throws InterruptedException {
        return showing(account.bearer(this::enroll).orElse(null));
    }

    private GatewayStub showing(String bearer) {
        GatewayStub stub = GatewayGrpc.newStub(channel());
        if (bearer == null) {
            return stub;
        }
        Metadata headers = new Metadata();
        headers.put(AUTHORIZATION, "Bearer " + bearer);
        return stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    private synchronized ManagedChannel channel() {
        if (channel == null) {
            channel =
                    NettyChannelBuilder.forAddress(
                                    gateway.getHost(),
                                    gateway.getPort() < 0 ? PORT : gateway.getPort())
                            .sslContext(tls)
                            .directExecutor()
                            .build();
        }
        if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
            channel.resetConnectBackoff(); // the caller has waited already
        }
        return channel;
    }

    @Override
    public synchronized void opened() {
        users++;
    }

    @Override
    public synchronized void closed() {
        users--;
        if (users == 0 && channel != null) {
            channel.shutdownNow();
            channel = null;
        }
    }

    private RuntimeException failed(StatusRuntimeException failure) {
        Status status = failure.getStatus();
        String sentence =
                "gateway %s: %s (%s)".formatted(gateway, status.getDescription(), status.getCode());
        if (GatewayClient.mistrust(status.getCause())) {
            return new GatewayRefusedException(false, sentence);
        }
        return switch (status.getCode()) {
            case NOT_FOUND, FAILED_PRECONDITION -> new GatewayRefusedException(true, sentence);
            case INVALID_ARGUMENT,
                    OUT_OF_RANGE,
                    PERMISSION_DENIED,
                    UNAUTHENTICATED,
                    UNIMPLEMENTED ->
                    new GatewayRefusedException(false, sentence);
            default -> new TimeoutException(sentence, failure);
        };
    }
}
