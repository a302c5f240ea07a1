package dev.levee.federated.gateway.device;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Passes the gateway's answers to one call to a thread that waits for them.
 *
 * @param <Q> type of the call's requests
 * @param <A> type of its answers
 */
final class AwaitedAnswer<Q, A> implements ClientResponseObserver<Q, A> {
    /** Number of answers that may arrive before they are taken. */
    private static final int AHEAD = 8;

    /** An answer; null stands for the end of the call. */
    private record Next<A>(A answer, StatusRuntimeException failure) {}

    private final BlockingQueue<Next<A>> next = new LinkedBlockingQueue<>();
    private ClientCallStreamObserver<Q> call;

    @Override
    public void beforeStart(ClientCallStreamObserver<Q> started) {
        call = started;
        call.disableAutoRequestWithInitial(AHEAD);
    }

    @Override
    public void onNext(A answer) {
        next.add(new Next<>(answer, null));
    }

    @Override
    public void onError(Throwable cause) {
        next.add(new Next<>(null, Status.fromThrowable(cause).asRuntimeException()));
    }

    @Override
    public void onCompleted() {
        next.add(new Next<>(null, null));
    }

    /** True if the gateway ended the call and no answer is left. */
    boolean ended() {
        Next<A> first = next.peek();
        return first != null && first.answer() == null;
    }

    /**
     * Waits for the next answer, empty at the end of the call.
     *
     * @throws StatusRuntimeException if the call failed, or no answer came in time
     */
    Optional<A> take(Duration time) throws InterruptedException {
        Next<A> first;
        try {
            first = next.poll(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            cancel();
            throw e;
        }
        if (first == null) {
            cancel();
            throw Status.DEADLINE_EXCEEDED
                    .withDescription("no answer for %d s".formatted(time.toSeconds()))
                    .asRuntimeException();
        }
        if (first.failure() != null) {
            throw first.failure();
        }
        if (first.answer() != null) {
            call.request(1);
        }
        return Optional.ofNullable(first.answer());
    }

    /** Cancels the call. */
    void cancel() {
        call.cancel("given up", null);
    }
}
