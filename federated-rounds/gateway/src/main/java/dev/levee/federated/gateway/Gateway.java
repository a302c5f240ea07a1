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
 * A gateway that listens. It has no state of its own: accounts, models and contributions are on
 * topics, so several gateways of a run are alike, and one that is killed loses nothing that it has
 * acknowledged.
 */
public final class Gateway implements AutoCloseable {
    /**
     * The parts that a gateway needs.
     *
     * @param job the job's public key, null in a run without keys
     * @param devices the devices' public keys, open in a run without keys
     * @param listen where it listens for devices that speak HTTPS
     * @param grpcListen where it listens for those that speak gRPC, null for nowhere
     * @param metricsPort port of 127.0.0.1 for {@code /metrics}, 0 for any that is free, −1 for
     *     none
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

    /** Parts that are open, the newest first. */
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    private final GatewayMetrics metrics = new GatewayMetrics();
    private final Models models = new Models();
    private AccountLog accounts;
    private HttpFront front;
    private GrpcFront grpc;
    private HttpServer figures;

    private Gateway() {}

    /**
     * Starts to listen; waits for no job and no model.
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

    /** For Prometheus on this machine, which needs neither TLS nor an account. */
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

    /** The port that devices connect to with gRPC, −1 if there is none. */
    public int grpcPort() {
        return grpc == null ? -1 : grpc.port();
    }

    /** The port that devices connect to with HTTPS. */
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
     * @throws RuntimeException then; one sentence
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
            } catch (Exception e) { // AutoCloseable's; none of them throws one
                throw new IllegalStateException(e);
            }
        }
    }
}
