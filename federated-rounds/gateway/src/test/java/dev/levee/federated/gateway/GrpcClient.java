package dev.levee.federated.gateway;

import com.google.protobuf.ByteString;

import dev.levee.federated.gateway.internal.proto.Block;
import dev.levee.federated.gateway.internal.proto.Bytes;
import dev.levee.federated.gateway.internal.proto.GatewayGrpc;
import dev.levee.federated.gateway.internal.proto.GatewayGrpc.GatewayStub;
import dev.levee.federated.gateway.internal.proto.NewestReply;
import dev.levee.federated.gateway.internal.proto.NewestRequest;
import dev.levee.federated.gateway.internal.proto.UploadReply;
import dev.levee.federated.gateway.internal.proto.UploadRequest;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.grpc.netty.shaded.io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/** Calls as a test wants them, well-formed or not. */
final class GrpcClient implements AutoCloseable {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final int WINDOW = 1 << 16;

    /** What a gateway has answered. */
    static final class Answers<A> implements StreamObserver<A> {
        final BlockingQueue<A> each = new LinkedBlockingQueue<>();
        final CompletableFuture<Status> status = new CompletableFuture<>();

        @Override
        public void onNext(A answer) {
            each.add(answer);
        }

        @Override
        public void onError(Throwable cause) {
            status.complete(Status.fromThrowable(cause));
        }

        @Override
        public void onCompleted() {
            status.complete(Status.OK);
        }
    }

    private final ManagedChannel channel;

    /** A client that trusts anybody. */
    GrpcClient(GatewayFixture gateway) throws Exception {
        channel =
                NettyChannelBuilder.forAddress("127.0.0.1", gateway.grpcPort())
                        .sslContext(
                                GrpcSslContexts.configure(
                                                GrpcSslContexts.forClient(), SslProvider.JDK)
                                        .trustManager(InsecureTrustManagerFactory.INSTANCE)
                                        .build())
                        .flowControlWindow(WINDOW)
                        .build();
    }

    ManagedChannel channel() {
        return channel;
    }

    /** Calls that show a secret or token, or none if it is null. */
    GatewayStub as(String bearer) {
        Metadata headers = new Metadata();
        if (bearer != null) {
            headers.put(AUTHORIZATION, "Bearer " + bearer);
        }
        return GatewayGrpc.newStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    /** How a request for the newest version ends. */
    Status newest(String run, String bearer) throws Exception {
        Answers<NewestReply> answers = new Answers<>();
        as(bearer).newest(NewestRequest.newBuilder().setRun(run).build(), answers);
        return answers.status.get();
    }

    /** The beginning of a block. */
    static UploadRequest block(String id, int block, int length) {
        return UploadRequest.newBuilder()
                .setBlock(
                        Block.newBuilder()
                                .setRun(GatewayFixture.NAME)
                                .setId(id)
                                .setBlock(block)
                                .setLength(length))
                .build();
    }

    /** Some of its bytes. */
    static UploadRequest bytes(int offset, byte[] frame, int from, int length) {
        return UploadRequest.newBuilder()
                .setBytes(
                        Bytes.newBuilder()
                                .setOffset(offset)
                                .setData(ByteString.copyFrom(frame, from, length)))
                .build();
    }

    /** Sends messages in one call, and says how it ends. */
    Status upload(String bearer, UploadRequest... requests) throws Exception {
        Answers<UploadReply> answers = new Answers<>();
        StreamObserver<UploadRequest> call = as(bearer).upload(answers);
        for (UploadRequest each : requests) {
            call.onNext(each);
        }
        call.onCompleted();
        return answers.status.get();
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
