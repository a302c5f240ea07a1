package dev.levee.federated.gateway.grpc;

import com.google.protobuf.UnsafeByteOperations;

import dev.levee.federated.gateway.internal.proto.DownloadReply;
import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.service.Service;
import dev.levee.federated.gateway.topic.PublishedVersion;

import java.util.function.LongConsumer;

/**
 * Sends a version to a client in small pieces, each when the client has room for it. So a slow
 * client occupies a few kilobytes, however large the model is.
 */
final class DownloadCall {
    private static final int PIECE = 1 << 14;

    private final Service service;
    private final Replies<DownloadReply> replies;
    private final PublishedVersion version;
    private long at;

    private DownloadCall(
            Service service, Replies<DownloadReply> replies, PublishedVersion version, long from) {
        this.service = service;
        this.replies = replies;
        this.version = version;
        this.at = from;
    }

    /**
     * Starts to send a version from an offset on.
     *
     * @param unsent receives the number of bytes that were not sent when the call ends
     */
    static void begin(
            Service service,
            CallOrigin origin,
            Replies<DownloadReply> replies,
            PublishedVersion version,
            long from,
            LongConsumer unsent) {
        service.metrics().requests.increment();
        CallDeadline.of(service, replies)
                .set(
                        service.limits().forBytes(version.bytes() - from),
                        () -> origin.link().cutOff(Refusal.SLOW_READER));
        DownloadCall call = new DownloadCall(service, replies, version, from);
        replies.whenEnded(() -> unsent.accept(version.bytes() - call.at));
        replies.client().setOnReadyHandler(call::pump);
        call.pump();
    }

    /** Sends as much as the client accepts. Called on the connection's event loop. */
    private void pump() {
        while (at < version.bytes() && replies.client().isReady()) {
            int most = (int) Math.min(PIECE, version.bytes() - at);
            DownloadReply piece =
                    DownloadReply.newBuilder()
                            .setData(UnsafeByteOperations.unsafeWrap(version.slice(at, most)))
                            .build();
            at += piece.getData().size();
            service.metrics().sent.add(piece.getData().size());
            replies.send(piece);
        }
        if (at == version.bytes()) {
            replies.complete();
        }
    }
}
