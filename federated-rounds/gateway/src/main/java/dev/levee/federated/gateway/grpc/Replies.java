package dev.levee.federated.gateway.grpc;

import dev.levee.federated.gateway.metrics.GatewayMetrics;
import dev.levee.federated.gateway.topic.RefusedException;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Receives the replies to one call, from any thread, until it has ended: completed, refused, or
 * given up by the client.
 */
final class Replies<A> {
    private final ServerCallStreamObserver<A> client;
    private final GatewayMetrics metrics;
    private final Deque<Runnable> last = new ArrayDeque<>();
    private boolean ended;

    Replies(StreamObserver<A> client, GatewayMetrics metrics) {
        this.client = (ServerCallStreamObserver<A>) client;
        this.metrics = metrics;
        this.client.setOnCancelHandler(this::end);
    }

    /** A part of an answer that may be refused. */
    interface Answer {
        void give() throws RefusedException;
    }

    /** Gives an answer, or says why not. */
    void answer(Answer answer) {
        try {
            answer.give();
        } catch (RefusedException e) {
            refuse(e);
        }
    }

    /** The client's side of the call, to ask for messages and whether it is ready for more. */
    ServerCallStreamObserver<A> client() {
        return client;
    }

    /** Does something when the call has ended, which may be now. */
    void whenEnded(Runnable what) {
        synchronized (this) {
            if (!ended) {
                last.add(what);
                return;
            }
        }
        what.run();
    }

    /** True if the client is gone. */
    synchronized boolean haveEnded() {
        return ended;
    }

    /** Sends a reply; others may follow. */
    synchronized void send(A reply) {
        if (!ended) {
            client.onNext(reply);
        }
    }

    /** Sends the only reply. */
    void complete(A reply) {
        synchronized (this) {
            if (ended) {
                return;
            }
            client.onNext(reply);
            metrics.requests.increment();
        }
        complete();
    }

    /** There are no more replies. */
    void complete() {
        if (end()) {
            client.onCompleted();
        }
    }

    /** Refuses the call. */
    void refuse(RefusedException why) {
        if (end()) {
            client.onError(Refusals.count(metrics, why).asRuntimeException(Refusals.trailers(why)));
        }
    }

    /** Ends the call with a reply, or a refusal if there is one. */
    void end(RefusedException refused, A reply) {
        if (refused == null) {
            complete(reply);
        } else {
            refuse(refused);
        }
    }

    /** True for the first who says so. */
    private boolean end() {
        Deque<Runnable> now;
        synchronized (this) {
            if (ended) {
                return false;
            }
            ended = true;
            now = new ArrayDeque<>(last);
        }
        now.forEach(Runnable::run);
        return true;
    }
}
