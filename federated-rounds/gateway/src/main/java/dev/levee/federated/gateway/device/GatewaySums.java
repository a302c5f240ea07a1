package dev.levee.federated.gateway.device;

import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.worker.SumConnection;

import java.util.List;
import java.util.function.Consumer;

/**
 * Takes part in secure sums through a gateway. Requests the job's messages to the device on its own
 * thread.
 */
final class GatewaySums implements SumConnection {
    private final GatewayClient client;
    private final GatewaySink said;
    private final Output output;
    private final AskingThread asking;
    private String followed;
    private int heard;

    GatewaySums(GatewayClient client, Output output) {
        this.client = client;
        this.said = new GatewaySink(client, client::say);
        this.output = output;
        this.asking = new AskingThread("sums", this::look, output::waiting, output::failed);
    }

    @Override
    public synchronized void follow(long run, long version, long since) {
        String id = run + "-" + version;
        if (id.equals(followed)) {
            return;
        }
        followed = id;
        heard = 0;
        if (asking.getState() == Thread.State.NEW) {
            asking.start();
        }
        notifyAll();
    }

    @Override
    public void say(Frame frame, byte[] bytes, Consumer<RuntimeException> done) {
        said.send(frame.block(), bytes, done);
    }

    /** A version, and the number of its messages that were received. */
    private record Known(String id, int records) {}

    private synchronized Known known() {
        return new Known(followed, heard);
    }

    private void look() throws InterruptedException {
        Known known = known();
        try {
            hear(known, client.told(known.id(), known.records(), AskingThread.WAIT));
        } catch (GatewayRefusedException e) {
            if (!e.passing()) {
                throw e;
            }
            awaitNext(known); // the round is over
        }
    }

    private synchronized void hear(Known known, List<byte[]> records) {
        if (known.id().equals(followed)) {
            records.forEach(output::told);
            heard = known.records() + records.size();
        }
    }

    private synchronized void awaitNext(Known known) throws InterruptedException {
        while (known.id().equals(followed)) {
            wait();
        }
    }

    @Override
    public void close() {
        asking.close();
        said.close();
    }
}
