package dev.levee.federated.gateway.device;

import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.worker.FrameSink;

import org.apache.kafka.common.errors.RetriableException;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Uploads frames one after another. A failed upload is retried for some time, so an interrupted
 * contribution continues with the interrupted block.
 */
final class GatewaySink implements FrameSink {
    /**
     * Maximum number of attempts. With pauses that double up to the longest, they take two minutes,
     * like the retries of a Kafka client.
     */
    private static final int TRIES = 28;

    private static final long FIRST_PAUSE_MILLIS = 250;
    private static final long LONGEST_PAUSE_MILLIS = 5000;

    private final GatewayClient client;
    private final Sending sending;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    task -> {
                        Thread made = new Thread(task, "uploads");
                        made.setDaemon(true);
                        return made;
                    });

    /** Sends a frame, and returns when Kafka has stored it. */
    interface Sending {
        void send(Frame frame, byte[] bytes) throws InterruptedException;
    }

    /**
     * Creates a sink.
     *
     * @param client the client, which is closed with the sink
     * @param sending how a frame is sent
     */
    GatewaySink(GatewayClient client, Sending sending) {
        this.client = client;
        this.sending = sending;
        client.opened();
    }

    @Override
    public void send(int block, byte[] frame, Consumer<RuntimeException> done) {
        Frame header = Frame.read(frame).orElseThrow();
        try {
            thread.execute(() -> done.accept(tried(header, frame)));
        } catch (RejectedExecutionException e) {
            done.accept(new IllegalStateException("the connection is closed", e));
        }
    }

    /**
     * Tries to send the frame. Returns the failure of the last attempt, null if Kafka has stored
     * the frame.
     */
    private RuntimeException tried(Frame header, byte[] frame) {
        long pause = FIRST_PAUSE_MILLIS;
        for (int left = TRIES; ; left--) {
            try {
                sending.send(header, frame);
                return null;
            } catch (GatewayRefusedException e) {
                // A late contribution is no failure: there is a newer version to work on.
                return e.passing() ? null : e;
            } catch (RetriableException e) {
                if (left == 1) {
                    return e;
                }
            } catch (InterruptedException e) {
                return closed(e);
            } catch (RuntimeException e) {
                return e;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(pause);
            } catch (InterruptedException e) {
                return closed(e);
            }
            pause = Math.min(LONGEST_PAUSE_MILLIS, 2 * pause);
        }
    }

    private static RuntimeException closed(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("the connection is closed", cause);
    }

    @Override
    public void close() {
        if (!thread.isShutdown()) {
            thread.shutdownNow();
            client.closed();
        }
    }
}
