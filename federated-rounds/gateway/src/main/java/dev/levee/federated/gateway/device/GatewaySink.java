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
 * so an interrupted contribution goes on with the block that was interrupted.
 */
final class GatewaySink implements FrameSink {
    /** With pauses that double up to the longest: two minutes, as a Kafka client tries. */
    private static final int TRIES = 28;

    private static final long FIRST_PAUSE_MILLIS = 250;
    private static final long LONGEST_PAUSE_MILLIS = 5000;

    private final GatewayClient client;
    private final String what;
    private final boolean blocks;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    task -> {
                        Thread made = new Thread(task, "uploads");
                        made.setDaemon(true);
                        return made;
                    });

    /**
     * A sink.
     *
     * @param what the path's part that names what is sent
     * @param blocks whether the path names the block
     */
    GatewaySink(GatewayClient client, String what, boolean blocks) {
        this.client = client;
        this.what = what;
        this.blocks = blocks;
    }

    @Override
    public void send(int block, byte[] frame, Consumer<RuntimeException> done) {
        String path = GatewayConnection.path(what, Frame.read(frame).orElseThrow(), blocks);
        try {
            thread.execute(() -> done.accept(tried(path, frame)));
        } catch (RejectedExecutionException e) {
            done.accept(new IllegalStateException("the connection is closed", e));
        }
    }

    /** The failure of the last attempt, null if Kafka has the frame. */
    private RuntimeException tried(String path, byte[] frame) {
        long pause = FIRST_PAUSE_MILLIS;
        for (int left = TRIES; ; left--) {
            try {
                client.put(path, frame);
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
        thread.shutdownNow();
    }
}
