package dev.levee.federated.gateway.device;

import dev.levee.connectors.kafka.versions.ModelReader;
import dev.levee.connectors.kafka.versions.ModelSource;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.connectors.kafka.worker.Connection;
import dev.levee.connectors.kafka.worker.FrameSink;

import java.net.URI;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * A device's connection through a gateway: outgoing HTTPS only. Frames, keys and signatures are
 * those of a device that speaks Kafka, so a gateway can withhold, but it cannot change or invent.
 */
public final class GatewayConnection implements Connection {
    private final String run;
    private final GatewayClient client;

    /**
     * A connection that has asked nothing.
     *
     * @param gateway such as {@code https://gateway.example:8443}
     * @param run name of the run
     * @throws IllegalArgumentException if the address or a file of the device is wrong; one
     *     sentence
     */
    public GatewayConnection(String gateway, String run, DeviceFiles files) {
        files.check();
        this.run = run;
        this.client = new GatewayClient(address(gateway), run, files);
    }

    /**
     * The address of a gateway.
     *
     * @throws IllegalArgumentException if it is none; one sentence
     */
    public static URI address(String gateway) {
        URI address = null;
        try {
            address = URI.create(gateway);
        } catch (IllegalArgumentException e) {
            // said below
        }
        if (address == null
                || !"https".equals(address.getScheme())
                || address.getHost() == null
                || !address.getRawPath().replace("/", "").isEmpty()) {
            throw new IllegalArgumentException(
                    "--gateway must be an address such as https://gateway.example:8443, got "
                            + gateway);
        }
        return address;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if there are several servers
     */
    @Override
    public ModelSource models(ServerRing ring, int byzantine, ModelReader.Output output) {
        if (ring.count() > 1) {
            throw new IllegalArgumentException(
                    "--gateway is for runs with one server, got --servers " + ring.count());
        }
        return new GatewayModels(client, run, ring, output);
    }

    @Override
    public FrameSink gradients(int worker) {
        return new GatewaySink(client, "contributions", true);
    }

    @Override
    public FrameSink scores(int worker) {
        return new GatewaySink(client, "scores", false);
    }

    /** Has none: a device that uses a gateway keeps a file of what it has answered. */
    @Override
    public void sent(long since, Duration patience, Consumer<byte[]> output) {}

    /** The path of a frame, below that of the run. */
    static String path(String what, Frame frame, boolean blocks) {
        String version = "%s/%d-%d".formatted(what, frame.run(), frame.round());
        return blocks ? version + "/" + frame.block() : version;
    }
}
