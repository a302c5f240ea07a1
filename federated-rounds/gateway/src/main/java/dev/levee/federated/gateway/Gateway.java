package dev.levee.federated.gateway;

import com.sun.net.httpserver.HttpServer;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.versions.ModelReader;
import dev.levee.connectors.kafka.wire.KeyRing;
import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.connectors.kafka.wire.VerifyingKey;
import dev.levee.federated.gateway.account.AccountLog;
import dev.levee.federated.gateway.grpc.GrpcFront;
import dev.levee.federated.gateway.http.HttpFront;
import dev.levee.federated.gateway.limit.Limits;
import dev.levee.federated.gateway.metrics.GatewayMetrics;
import dev.levee.federated.gateway.service.Service;
import dev.levee.federated.gateway.service.Tls;
import dev.levee.federated.gateway.topic.Contributions;
import dev.levee.federated.gateway.topic.Models;
import dev.levee.federated.gateway.topic.Sums;
import dev.levee.federated.gateway.topic.TopicWriter;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A running gateway. It has no state of its own: accounts, models and contributions are on topics.
 * So all gateways of a run are alike, and a gateway that is killed loses nothing that it has
 * acknowledged.
 */
public final class Gateway implements AutoCloseable {
    /**
     * The configuration of a gateway.
     *
     * @param job the job's public key, null in a run without keys
     * @param devices the devices' public keys; accepts all devices in a run without keys
     * @param listen address for devices that use HTTPS
     * @param grpcListen address for devices that use gRPC, null to disable gRPC
     * @param metricsPort port of {@code /metrics} on 127.0.0.1, 0 for any free port, −1 for none
     */
    public record Options(
            KafkaAddress address,
            Topics topics,
            VerifyingKey job,
            KeyRing devices,
            InetSocketAddress listen,
            InetSocketAddress grpcListen,
            Tls tls,
            Limits limits,
            int metricsPort) {}

    /** The open parts; the newest is first. */
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    private final GatewayMetrics metrics = new GatewayMetrics();
    private final Models models = new Models();
    private AccountLog accounts;
    private HttpFront front;
    private GrpcFront grpc;
    private HttpServer figures;

    private Gateway() {}

    /**
     * Starts to listen, without waiting for a job or a model.
     *
     * @throws IllegalArgumentException if an option is wrong; one sentence
     * @throws IllegalStateException if no broker answers; one sentence
     */
    public static Gateway start(Options options) {
        Gateway gateway = new Gateway();
        boolean started = false;
        try {
            gateway.open(options);
            started = true;
            return gateway;
        } finally {
            if (!started) {
                gateway.close();
            }
        }
    }

    private void open(Options options) {
        accounts = AccountLog.open(options.address(), options.topics());
        open.push(accounts);
        TopicWriter writer = new TopicWriter(options.address(), options.topics());
        open.push(writer);
        ModelReader reader =
                new ModelReader(
                        options.address(),
                        options.topics(),
                        ServerRing.of(options.job()),
                        0,
                        models);
        open.push(reader);
        reader.start();
        Sums sums = new Sums(options.address(), options.topics(), options.job());
        open.push(sums);
        Service service =
                new Service(
                        new Service.Behind(
                                options.topics().name(),
                                accounts,
                                models,
                                sums,
                                new Contributions(options.devices()),
                                writer,
                                System::nanoTime),
                        options.limits(),
                        metrics);
        open.push(service);
        front = new HttpFront(service, options.tls(), options.listen());
        open.push(front);
        if (options.grpcListen() != null) {
            grpc = new GrpcFront(service, options.tls(), options.grpcListen());
            open.push(grpc);
        }
        if (options.metricsPort() >= 0) {
            figures = figures(options.metricsPort());
            open.push(() -> figures.stop(0));
        }
    }

    /** Serves metrics to a Prometheus on this machine, without TLS or accounts. */
    private HttpServer figures(int port) {
        HttpServer server;
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "--metrics-port %d: %s".formatted(port, e.getMessage()), e);
        }
        server.createContext(
                "/metrics",
                exchange -> {
                    byte[] text = metrics.text().getBytes(StandardCharsets.UTF_8);
                    exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
                    exchange.sendResponseHeaders(200, text.length);
                    exchange.getResponseBody().write(text);
                    exchange.close();
                });
        server.start();
        return server;
    }

    /** The port for devices that use gRPC, −1 if there is none. */
    public int grpcPort() {
        return grpc == null ? -1 : grpc.port();
    }

    /** The port for devices that use HTTPS. */
    public int port() {
        return front.port();
    }

    /** The port of {@code /metrics}, −1 if there is none. */
    public int metricsPort() {
        return figures == null ? -1 : figures.getAddress().getPort();
    }

    /**
     * Waits until the gateway cannot continue.
     *
     * @throws RuntimeException if it cannot continue; one sentence
     */
    public void await() throws InterruptedException {
        try {
            CompletableFuture.anyOf(models.failure(), accounts.failure()).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) { // declared by AutoCloseable; these parts throw none
                throw new IllegalStateException(e);
            }
        }
    }
}
