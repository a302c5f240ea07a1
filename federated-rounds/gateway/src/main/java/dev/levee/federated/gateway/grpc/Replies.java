package dev.levee.federated.gateway.grpc;

import dev.levee.federated.gateway.metrics.GatewayMetrics;
import dev.levee.federated.gateway.topic.RefusedException;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Sends replies to one call, from any thread, until the call ends: it is completed, refused, or
 * canceled by the client.
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

    /** A part of an answer, which may be refused. */
    interface Answer {
        void give() throws RefusedException;
    }

    /** Runs a part of the answer, and refuses the call if that part is refused. */
    void answer(Answer answer) {
        try {
            answer.give();
        } catch (RefusedException e) {
            refuse(e);
        }
    }

    /** The observer of the client's side, with which to request messages and to check for room. */
    ServerCallStreamObserver<A> client() {
        return client;
    }

    /** Runs an action when the call ends, at once if it has ended. */
    void whenEnded(Runnable what) {
        synchronized (this) {
            if (!ended) {
                last.add(what);
                return;
            }
        }
        what.run();
    }

    /** True if the call has ended. */
    synchronized boolean haveEnded() {
        return ended;
    }

    /** Sends a reply that others may follow. */
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

    /** Completes the call. */
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

    /** Ends the call with a refusal if there is one, otherwise with a reply. */
    void end(RefusedException refused, A reply) {
        if (refused == null) {
            complete(reply);
        } else {
            refuse(refused);
        }
    }

    /** Marks the call as ended; true for the first caller. */
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
