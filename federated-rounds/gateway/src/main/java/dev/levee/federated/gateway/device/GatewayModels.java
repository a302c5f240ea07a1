package dev.levee.federated.gateway.device;

import dev.levee.connectors.kafka.versions.ModelReader;
import dev.levee.connectors.kafka.versions.ModelSource;
import dev.levee.connectors.kafka.versions.NewestVersion;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.ServerRing;

import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Requests the newest model on its own thread. Downloads it if it concerns the device: the device
 * is asked, or the run is over. An interrupted download continues where it stopped. Only frames
 * that the job has signed are accepted.
 */
final class GatewayModels implements ModelSource {
    /** Largest model that a device can hold, in bytes. */
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

    /** The last download, which continues if the gateway still offers the same bytes. */
    private Partial partial;

    private record Partial(String id, String etag, Download download) {
        boolean belongsTo(GatewayClient.News version) {
            return id.equals(version.id()) && etag.equals(version.etag());
        }
    }

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
        again = true; // a model that arrived just before hold() may have been skipped
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

    /** Makes one request for the newest model, and downloads it if it concerns the device. */
    void look() throws InterruptedException {
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
            if (held()) {
                return; // the device trains; requests it again after resume()
            }
            Optional<NewestVersion.Found> found = download(version);
            if (found.isEmpty()) {
                return; // replaced in the meantime, or not genuine; requests it again
            }
            if (held()) {
                return; // not wanted now; requests it again after resume()
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
        if (partial == null || !partial.belongsTo(version)) {
            Download fresh = new Download((int) version.bytes());
            partial = new Partial(version.id(), version.etag(), fresh);
        }
        Download download = partial.download();
        while (!download.complete()) {
            int before = download.length();
            try {
                if (!client.download(version, before, download::add)) {
                    return Optional.empty();
                }
            } catch (RetriableException e) {
                if (download.length() == before) {
                    throw e; // no progress: the gateway is gone, or refuses the request
                }
            }
            if (download.length() == before) {
                throw new TimeoutException(
                        "the gateway sends no bytes of version " + version.version());
            }
        }
        partial = null;
        return genuine(version, download.bytes());
    }

    /** Reads the frames. Empty unless they belong to the version and the job has signed them. */
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
                    Frame.read(record, FrameKind.MODEL)
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
