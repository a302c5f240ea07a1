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
 * Uploads frames one after the other. Each is tried again for a while before it counts as failed,
 * so an interrupted contribution continues with the block that was interrupted.
 */
final class GatewaySink implements FrameSink {
    /** With pauses that double up to the longest: two minutes, as a Kafka client tries. */
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

    /** Sends a frame, and returns when Kafka has it. */
    interface Sending {
        void send(Frame frame, byte[] bytes) throws InterruptedException;
    }

    /**
     * A sink.
     *
     * @param client closed with the sink
     * @param sending what it does with a frame
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

    /** The failure of the last attempt, null if Kafka has the frame. */
    private RuntimeException tried(Frame header, byte[] frame) {
        long pause = FIRST_PAUSE_MILLIS;
        for (int left = TRIES; ; left--) {
            try {
                sending.send(header, frame);
                return null;
            } catch (GatewayRefusedException e) {
                // A contribution that is late is no fault: there is a newer version to work at.
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
