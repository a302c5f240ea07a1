package dev.levee.federated.gateway.device;

import dev.levee.connectors.kafka.versions.ModelReader;
import dev.levee.connectors.kafka.versions.ModelSource;
import dev.levee.connectors.kafka.versions.NewestVersion;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.ServerRing;

import org.apache.kafka.common.errors.RetriableException;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Asks for the newest model, on a thread of its own, and downloads it if it concerns the device: it
 * is asked, or the run is over. An interrupted download continues where it was interrupted.
 * Believes no frame that the job has not signed.
 */
final class GatewayModels implements ModelSource {
    /** A model of more bytes is no model that a device can hold. */
    private static final long MOST_BYTES = Integer.MAX_VALUE - 8;

    private final GatewayClient client;
    private final String run;
    private final ServerRing ring;
    private final ModelReader.Output output;
    private final AskingThread asking;
    private boolean held;
    private boolean again;
    private String seen = "0-0";
    private NewestVersion.Found last;

    GatewayModels(GatewayClient client, String run, ServerRing ring, ModelReader.Output output) {
        this.client = client;
        this.run = run;
        this.ring = ring;
        this.output = output;
        this.asking = new AskingThread("models", this::look, output::waiting, output::failed);
        client.opened();
    }

    @Override
    public void start() {
        asking.start();
    }

    @Override
    public synchronized void hold() {
        held = true;
    }

    @Override
    public synchronized void resume() {
        held = false;
        again = true; // a model that came just before it was held may have been passed over
        notifyAll();
    }

    private synchronized boolean again() {
        boolean before = again;
        again = false;
        return before;
    }

    private synchronized void waitWhileHeld() throws InterruptedException {
        while (held) {
            wait();
        }
    }

    private void look() throws InterruptedException {
        waitWhileHeld();
        if (again() && last != null) {
            output.newest(last);
        }
        Optional<GatewayClient.News> news = client.newest(seen, AskingThread.WAIT);
        if (news.isEmpty()) {
            if (seen.equals("0-0")) {
                output.waiting("the gateway has no model of run %s yet".formatted(run));
            }
            return;
        }
        GatewayClient.News version = news.get();
        if (version.concerns()) {
            Optional<NewestVersion.Found> found = download(version);
            if (found.isEmpty()) {
                return; // overtaken meanwhile, or not genuine: asked again
            }
            if (held()) {
                return; // nobody takes it now; looked for again after the answer
            }
            last = found.get();
            output.newest(last);
        }
        seen = version.id();
    }

    private synchronized boolean held() {
        return held;
    }

    private Optional<NewestVersion.Found> download(GatewayClient.News version)
            throws InterruptedException {
        if (version.bytes() < Frame.HEADER || version.bytes() > MOST_BYTES) {
            throw new IllegalStateException(
                    "the gateway offers a model of %d bytes".formatted(version.bytes()));
        }
        Download download = new Download((int) version.bytes());
        while (!download.complete()) {
            int before = download.length();
            try {
                if (!client.download(version, before, download::add)) {
                    return Optional.empty();
                }
            } catch (RetriableException e) {
                if (download.length() == before) {
                    throw e; // no byte has come: the gateway is gone, or refuses
                }
            }
        }
        return genuine(version, download.bytes());
    }

    /** The frames, if they are those of the version and the job has signed them. */
    private Optional<NewestVersion.Found> genuine(GatewayClient.News version, ByteBuffer bytes)
            throws InterruptedException {
        List<Frame> frames = new ArrayList<>();
        while (bytes.remaining() >= Integer.BYTES) {
            int length = bytes.getInt();
            if (length < 0 || length > bytes.remaining()) {
                break;
            }
            byte[] record = new byte[length];
            bytes.get(record);
            Optional<Frame> frame =
                    Frame.read(record)
                            .filter(each -> each.kind() == FrameKind.MODEL)
                            .filter(ring::names)
                            .filter(each -> each.run() == version.run())
                            .filter(each -> each.round() == version.version())
                            .filter(each -> each.block() == frames.size())
                            .filter(ring::believes);
            if (frame.isEmpty()) {
                break;
            }
            frames.add(frame.get());
        }
        if (frames.isEmpty() || frames.size() != frames.get(0).blocks()) {
            output.waiting(
                    "the gateway's version %d is not whole%s"
                            .formatted(
                                    version.version(),
                                    ring.signed() ? ", or not signed by the job of --keys" : ""));
            Thread.sleep(AskingThread.PAUSE_MILLIS);
            return Optional.empty();
        }
        return Optional.of(
                new NewestVersion.Found(version.run(), version.version(), frames, 0, Map.of()));
    }

    @Override
    public void close() {
        if (asking.close()) {
            client.closed();
        }
    }
}
