package dev.levee.federated.gateway.device;

import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.worker.SumConnection;

import org.apache.kafka.common.errors.RetriableException;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Secure sums through a gateway: asks, on a thread of its own, what the job has told a device. */
final class GatewaySums implements SumConnection {
    private static final Duration WAIT = Duration.ofSeconds(25);
    private static final long PAUSE_MILLIS = 1000;

    private final GatewayClient client;
    private final GatewaySink said;
    private final Output output;
    private Thread thread;
    private String followed;
    private int heard;
    private boolean closed;

    GatewaySums(GatewayClient client, Output output) {
        this.client = client;
        this.said = new GatewaySink(client, client::say);
        this.output = output;
    }

    @Override
    public synchronized void follow(long run, long version, long since) {
        String id = run + "-" + version;
        if (id.equals(followed)) {
            return;
        }
        followed = id;
        heard = 0;
        if (thread == null) {
            thread = new Thread(this::work, "sums");
            thread.setDaemon(true);
            thread.start();
        }
        notifyAll();
    }

    @Override
    public void say(Frame frame, byte[] bytes, Consumer<RuntimeException> done) {
        said.send(frame.block(), bytes, done);
    }

    /** What is known of a version. */
    private record Known(String id, int records) {}

    private synchronized Known known() {
        return new Known(followed, heard);
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private void work() {
        try {
            while (!isClosed()) {
                Known known = known();
                try {
                    hear(known, client.told(known.id(), known.records(), WAIT));
                } catch (GatewayRefusedException e) {
                    if (!e.passing()) {
                        throw e;
                    }
                    awaitNext(known); // the round is over
                } catch (RetriableException e) {
                    output.waiting(e.getMessage());
                    Thread.sleep(PAUSE_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            // Nobody interrupts this thread but to end it.
        } catch (RuntimeException e) {
            if (!isClosed()) {
                output.failed(e);
            }
        }
    }

    private synchronized void hear(Known known, List<byte[]> records) {
        if (known.id().equals(followed)) {
            records.forEach(output::told);
            heard = known.records() + records.size();
        }
    }

    private synchronized void awaitNext(Known known) throws InterruptedException {
        while (known.id().equals(followed) && !closed) {
            wait();
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        if (thread != null) {
            thread.interrupt();
        }
        said.close();
    }
}
