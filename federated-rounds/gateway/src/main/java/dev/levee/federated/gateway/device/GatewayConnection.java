package dev.levee.federated.gateway.device;

import dev.levee.connectors.kafka.versions.ModelReader;
import dev.levee.connectors.kafka.versions.ModelSource;
import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.connectors.kafka.worker.Connection;
import dev.levee.connectors.kafka.worker.FrameSink;
import dev.levee.connectors.kafka.worker.SumConnection;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * A device's connection through a gateway, over outgoing HTTPS or gRPC only. Frames, keys and
 * signatures are the same as over Kafka. So a gateway can withhold frames, but cannot change or
 * forge them.
 */
public final class GatewayConnection implements Connection {
    private static final String HTTPS = "https";
    private static final String GRPC = "grpcs";

    private final String run;
    private final GatewayClient client;

    /**
     * Creates a connection without sending a request.
     *
     * @param gateway address such as {@code https://gateway.example:8443}, or {@code
     *     grpcs://gateway.example:8444}
     * @param run name of the run
     * @throws IllegalArgumentException if the address or a file of the device is wrong; one
     *     sentence
     */
    public GatewayConnection(String gateway, String run, DeviceFiles files) {
        files.check();
        this.run = run;
        URI address = address(gateway);
        this.client =
                address.getScheme().equals(GRPC)
                        ? new GrpcGateway(address, run, files)
                        : new HttpsGateway(address, run, files);
    }

    /**
     * Parses the address of a gateway.
     *
     * @throws IllegalArgumentException if the address is invalid; one sentence
     */
    public static URI address(String gateway) {
        URI address = null;
        try {
            address = URI.create(gateway);
        } catch (IllegalArgumentException e) {
            // reported below
        }
        if (address == null
                || !List.of(HTTPS, GRPC).contains(String.valueOf(address.getScheme()))
                || address.getHost() == null
                || !address.getRawPath().replace("/", "").isEmpty()) {
            throw new IllegalArgumentException(
                    "--gateway must be an address such as https://gateway.example:8443 or"
                            + " grpcs://gateway.example:8444, got "
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
        return new GatewaySink(client, client::contribute);
    }

    @Override
    public FrameSink scores(int worker) {
        return new GatewaySink(client, client::score);
    }

    @Override
    public SumConnection sums(int worker, SumConnection.Output output) {
        return new GatewaySums(client, output);
    }

    /** Reports nothing: a device that uses a gateway keeps its answered versions in a file. */
    @Override
    public void sent(long since, Duration patience, Consumer<byte[]> output) {}
}
