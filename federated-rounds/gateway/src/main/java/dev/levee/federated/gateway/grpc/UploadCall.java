package dev.levee.federated.gateway.grpc;

import com.google.protobuf.ByteString;

import dev.levee.federated.gateway.internal.proto.Block;
import dev.levee.federated.gateway.internal.proto.Bytes;
import dev.levee.federated.gateway.internal.proto.UploadReply;
import dev.levee.federated.gateway.internal.proto.UploadRequest;
import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.service.Service;
import dev.levee.federated.gateway.service.Uploads;
import dev.levee.federated.gateway.topic.RefusedException;

import io.grpc.stub.StreamObserver;

/**
 * Receives a contribution block by block, or a message of a secure sum as one block. The next block
 * is requested when Kafka has stored the previous one; bytes that a client sends ahead wait in the
 * stream's window. The client's messages arrive one after another on the connection's event loop.
 */
final class UploadCall implements StreamObserver<UploadRequest> {
    /** Admits a block before its bytes are sent. */
    interface Admission {
        Uploads.Expected of(int device, Block block) throws RefusedException;
    }

    private final Service service;
    private final CallOrigin origin;
    private final Replies<UploadReply> replies;
    private final Admission admission;
    private final CallDeadline limit;

    /** The block that is being received, null between two blocks. */
    private byte[] frame;

    private int number;
    private int filled;
    private Uploads.Receiver receiver;

    /** Bytes that are reserved for the block that is being received. */
    private int held;

    private boolean writing;
    private boolean last;

    UploadCall(
            Service service, CallOrigin origin, Replies<UploadReply> replies, Admission admission) {
        this.service = service;
        this.origin = origin;
        this.replies = replies;
        this.admission = admission;
        this.limit = CallDeadline.of(service, replies);
        replies.whenEnded(this::free);
        replies.client().disableAutoRequest();
        awaitBlock();
    }

    private void awaitBlock() {
        limit.set(service.limits().idle(), replies::complete);
        replies.client().request(1);
    }

    @Override
    public void onNext(UploadRequest request) {
        try {
            switch (request.getPartCase()) {
                case BLOCK -> begin(request.getBlock());
                case BYTES -> take(request.getBytes());
                default -> throw wrong("a message must be a block or bytes");
            }
        } catch (RefusedException e) {
            frame = null;
            replies.refuse(e);
        }
    }

    private static RefusedException wrong(String message) {
        return new RefusedException(Refusal.WRONG_PARAMETER, message);
    }

    private void begin(Block block) throws RefusedException {
        if (frame != null) {
            throw wrong("block %d is not complete".formatted(number));
        }
        service.requireRun(origin.caller(), block.getRun());
        int device = service.credentials().device(origin.caller());
        int length = block.getLength();
        if (length <= 0) {
            throw wrong("a block must have bytes");
        }
        Uploads.Expected expected = admission.of(device, block);
        service.uploads().reserve(length, expected.most());
        synchronized (this) {
            held = length;
        }
        if (replies.haveEnded()) {
            free();
        }
        frame = new byte[length];
        filled = 0;
        number = block.getBlock();
        receiver = expected.receiver();
        limit.set(service.limits().forBytes(length), () -> origin.link().cutOff(Refusal.SLOW_BODY));
        replies.client().request(1);
    }

    private void take(Bytes bytes) throws RefusedException {
        if (frame == null) {
            throw wrong("bytes without a block");
        }
        ByteString data = bytes.getData();
        if (bytes.getOffset() != filled) {
            throw new RefusedException(
                    Refusal.WRONG_RANGE,
                    "the next byte of block %d is %d".formatted(number, filled));
        }
        if (data.isEmpty() || data.size() > frame.length - filled) {
            throw new RefusedException(
                    Refusal.WRONG_RANGE, "block %d has %d bytes".formatted(number, frame.length));
        }
        data.copyTo(frame, filled);
        filled += data.size();
        if (filled < frame.length) {
            replies.client().request(1);
        } else {
            complete();
        }
    }

    private void complete() throws RefusedException {
        byte[] whole = frame;
        int block = number;
        Uploads.Receiver taker = receiver;
        frame = null;
        limit.clear();
        synchronized (this) {
            writing = true;
            held = 0; // now owned by the service
        }
        service.take(taker, whole, refused -> ended(block, refused));
    }

    /** Called when Kafka has stored the block, or will not store it. */
    private void ended(int block, RefusedException refused) {
        if (refused != null) {
            replies.refuse(refused);
            return;
        }
        service.metrics().requests.increment();
        replies.send(UploadReply.newBuilder().setBlock(block).build());
        boolean over;
        synchronized (this) {
            writing = false;
            over = last;
        }
        if (over) {
            replies.complete();
        } else {
            awaitBlock();
        }
    }

    private void free() {
        int bytes;
        synchronized (this) {
            bytes = held;
            held = 0;
        }
        service.uploads().free(bytes);
    }

    @Override
    public void onError(Throwable cause) {
        if (frame != null) {
            service.metrics().refuse(Refusal.TRUNCATED);
            frame = null;
        }
    }

    @Override
    public void onCompleted() {
        if (frame != null) {
            replies.refuse(
                    new RefusedException(
                            Refusal.TRUNCATED, "block %d is not complete".formatted(number)));
            return;
        }
        boolean over;
        synchronized (this) {
            last = true;
            over = !writing;
        }
        if (over) {
            replies.complete();
        }
    }
}
