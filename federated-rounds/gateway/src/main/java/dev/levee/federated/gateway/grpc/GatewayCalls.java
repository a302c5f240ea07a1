package dev.levee.federated.gateway.grpc;

import com.google.protobuf.UnsafeByteOperations;

import dev.levee.federated.gateway.internal.proto.DownloadReply;
import dev.levee.federated.gateway.internal.proto.DownloadRequest;
import dev.levee.federated.gateway.internal.proto.EnrollReply;
import dev.levee.federated.gateway.internal.proto.EnrollRequest;
import dev.levee.federated.gateway.internal.proto.GatewayGrpc;
import dev.levee.federated.gateway.internal.proto.NewestReply;
import dev.levee.federated.gateway.internal.proto.NewestRequest;
import dev.levee.federated.gateway.internal.proto.ScoreReply;
import dev.levee.federated.gateway.internal.proto.ScoreRequest;
import dev.levee.federated.gateway.internal.proto.ToldReply;
import dev.levee.federated.gateway.internal.proto.ToldRequest;
import dev.levee.federated.gateway.internal.proto.UploadReply;
import dev.levee.federated.gateway.internal.proto.UploadRequest;
import dev.levee.federated.gateway.internal.proto.Version;
import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.service.Caller;
import dev.levee.federated.gateway.service.Service;
import dev.levee.federated.gateway.service.Uploads;
import dev.levee.federated.gateway.topic.PublishedVersion;
import dev.levee.federated.gateway.topic.RefusedException;
import dev.levee.federated.gateway.topic.VersionId;

import io.grpc.stub.StreamObserver;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/** Implements the calls of {@code gateway.proto}. */
final class GatewayCalls extends GatewayGrpc.GatewayImplBase {
    private final Service service;

    GatewayCalls(Service service) {
        this.service = service;
    }

    private <A> Replies<A> replies(StreamObserver<A> client) {
        return new Replies<>(client, service.metrics());
    }

    /** The calling device, if it has access. */
    private int device(String run) throws RefusedException {
        Caller caller = CallOrigin.current().caller();
        service.requireRun(caller, run);
        return service.credentials().device(caller);
    }

    /** Answers on a worker thread, because the answer may take long. */
    private void later(Replies<?> replies, Replies.Answer answer) throws RefusedException {
        try {
            service.workers().execute(() -> replies.answer(answer));
        } catch (RejectedExecutionException e) {
            throw Uploads.full();
        }
    }

    @Override
    public void enroll(EnrollRequest request, StreamObserver<EnrollReply> client) {
        Replies<EnrollReply> replies = replies(client);
        Caller caller = CallOrigin.current().caller();
        replies.answer(
                () -> {
                    service.requireRun(caller, request.getRun());
                    service.enrollment().admit(caller, request.getDevice());
                    later(
                            replies,
                            () ->
                                    service.enrollment()
                                            .enroll(
                                                    caller,
                                                    request.getDevice(),
                                                    request.getSecretSha256(),
                                                    refused ->
                                                            replies.end(
                                                                    refused,
                                                                    EnrollReply
                                                                            .getDefaultInstance())));
                });
    }

    @Override
    public void newest(NewestRequest request, StreamObserver<NewestReply> client) {
        Replies<NewestReply> replies = replies(client);
        replies.answer(
                () -> {
                    int device = device(request.getRun());
                    String after = request.getAfter();
                    VersionId known = VersionId.of(after.isEmpty() ? "0-0" : after);
                    replies.whenEnded(
                            service.downloads()
                                    .tell(
                                            known,
                                            found -> replies.complete(described(found, device))));
                    limit(replies, request.getWaitSeconds(), NewestReply.getDefaultInstance());
                });
    }

    /** Answers with {@code nothing} if no other answer was sent in time. */
    private <A> void limit(Replies<A> replies, int seconds, A nothing) {
        Duration asked = Duration.ofSeconds(Integer.toUnsignedLong(seconds));
        Duration wait = service.downloads().granted(asked);
        if (wait.isZero()) {
            replies.complete(nothing);
        } else {
            CallDeadline.of(service, replies).set(wait, () -> replies.complete(nothing));
        }
    }

    private static NewestReply described(PublishedVersion version, int device) {
        return NewestReply.newBuilder()
                .setVersion(
                        Version.newBuilder()
                                .setRun(version.run())
                                .setVersion(version.version())
                                .setId(version.id())
                                .setBlocks(version.blocks())
                                .setBytes(version.bytes())
                                .setEtag(version.etag())
                                .setConcerns(version.concerns(device))
                                .setAsked(version.asks(device))
                                .setStop(version.settings().stop()))
                .build();
    }

    @Override
    public void download(DownloadRequest request, StreamObserver<DownloadReply> client) {
        Replies<DownloadReply> replies = replies(client);
        CallOrigin origin = CallOrigin.current();
        replies.answer(
                () -> {
                    int device = device(request.getRun());
                    PublishedVersion version = service.downloads().version(request.getId());
                    String etag = request.getEtag();
                    if (!etag.isEmpty() && !etag.equals(version.etag())) {
                        throw new RefusedException(
                                Refusal.UNKNOWN_VERSION,
                                "version %s has other bytes".formatted(version.id()));
                    }
                    long from = request.getOffset();
                    if (from < 0 || from >= version.bytes()) {
                        throw new RefusedException(
                                Refusal.WRONG_RANGE,
                                "the model has %d bytes".formatted(version.bytes()));
                    }
                    service.credentials().charge(device, version.bytes() - from);
                    DownloadCall.begin(
                            service,
                            origin,
                            replies,
                            version,
                            from,
                            left -> service.credentials().refund(device, left));
                });
    }

    @Override
    public StreamObserver<UploadRequest> upload(StreamObserver<UploadReply> client) {
        return new UploadCall(
                service,
                CallOrigin.current(),
                replies(client),
                (device, block) ->
                        service.uploads()
                                .gradient(
                                        device,
                                        block.getId(),
                                        block.getBlock(),
                                        block.getLength()));
    }

    @Override
    public StreamObserver<UploadRequest> say(StreamObserver<UploadReply> client) {
        return new UploadCall(
                service,
                CallOrigin.current(),
                replies(client),
                (device, message) ->
                        service.uploads().sum(device, message.getId(), message.getLength()));
    }

    @Override
    public void told(ToldRequest request, StreamObserver<ToldReply> client) {
        Replies<ToldReply> replies = replies(client);
        replies.answer(
                () -> {
                    int device = device(request.getRun());
                    replies.whenEnded(
                            service.downloads()
                                    .told(
                                            request.getId(),
                                            device,
                                            Math.max(0, request.getFrom()),
                                            records -> replies.complete(encoded(records))));
                    limit(replies, request.getWaitSeconds(), ToldReply.getDefaultInstance());
                });
    }

    private static ToldReply encoded(List<byte[]> records) {
        ToldReply.Builder reply = ToldReply.newBuilder();
        records.forEach(each -> reply.addFrames(UnsafeByteOperations.unsafeWrap(each)));
        return reply.build();
    }

    @Override
    public void score(ScoreRequest request, StreamObserver<ScoreReply> client) {
        Replies<ScoreReply> replies = replies(client);
        replies.answer(
                () -> {
                    byte[] frame = request.getFrame().toByteArray();
                    Uploads.Expected expected =
                            service.uploads()
                                    .scores(
                                            device(request.getRun()),
                                            request.getId(),
                                            frame.length);
                    service.uploads().reserve(frame.length, expected.most());
                    service.take(
                            expected.receiver(),
                            frame,
                            refused -> replies.end(refused, ScoreReply.getDefaultInstance()));
                });
    }
}
