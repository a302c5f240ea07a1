package dev.levee.jobs.cluster;

import dev.levee.jobs.internal.cluster.BrokerConfig;
import dev.levee.jobs.internal.cluster.BrokerProcess;
import dev.levee.k8s.flink.rest.Await;

import org.apache.kafka.clients.admin.Admin;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/**
 * A real Kafka broker on this machine: one process, broker and controller in one, bound to
 * 127.0.0.1. It outlives the process that started it unless closed, and {@link #find} finds it
 * again. Its data stay in the directory, however the process ends.
 */
public final class LocalKafka implements AutoCloseable {
    private static final Duration STOP = Duration.ofSeconds(30);

    /**
     * Options of a broker.
     *
     * @param directory receives configuration, logs and data; existing data are used
     * @param port port for clients, 0 for any that is free
     * @param configuration broker options that override what is set here, such as {@code
     *     message.max.bytes}; not those of its listeners and data directories
     */
    public record Options(Path directory, int port, Map<String, String> configuration) {
        /**
         * Checks the configuration.
         *
         * @throws IllegalArgumentException if it sets where the broker listens or stores
         */
        public Options {
            BrokerConfig.check(configuration);
            directory = directory.toAbsolutePath();
            configuration = Map.copyOf(configuration);
        }
    }

    private final BrokerProcess process;

    private LocalKafka(BrokerProcess process) {
        this.process = process;
    }

    /**
     * Starts a broker and waits until it serves clients.
     *
     * @throws IllegalStateException if a broker already runs in the directory, the port is taken,
     *     or the broker does not come up; one sentence
     */
    public static LocalKafka start(Options options) throws IOException {
        Optional<LocalKafka> running = find(options.directory());
        if (running.isPresent()) {
            throw new IllegalStateException(
                    "a broker is already running at " + running.get().bootstrapServers());
        }
        LocalKafka broker =
                new LocalKafka(
                        BrokerProcess.create(
                                options.directory(), options.port(), options.configuration()));
        broker.process.format();
        broker.startProcess();
        return broker;
    }

    /** Finds the broker that was started in a directory, if it still runs. */
    public static Optional<LocalKafka> find(Path directory) throws IOException {
        return BrokerProcess.find(directory.toAbsolutePath()).map(LocalKafka::new);
    }

    /**
     * Deletes what a broker has stored in a directory.
     *
     * @throws IllegalStateException if it still runs
     */
    public static void deleteData(Path directory) throws IOException {
        Optional<LocalKafka> running = find(directory);
        if (running.isPresent()) {
            throw new IllegalStateException(
                    "the broker at %s is still running; stop it before deleting its data"
                            .formatted(running.get().bootstrapServers()));
        }
        BrokerProcess.deleteData(directory.toAbsolutePath());
    }

    private void startProcess() throws IOException {
        boolean up = false;
        try {
            process.start();
            boolean settled = Await.until(LocalCluster.PATIENCE, () -> !process.runs() || serves());
            if (!process.runs()) {
                throw new IllegalStateException("the broker " + process.ended());
            }
            if (!settled) {
                throw new IllegalStateException(
                        "the broker did not serve clients within %s s; see %s"
                                .formatted(LocalCluster.PATIENCE.toSeconds(), process.logs()));
            }
            up = true;
        } finally {
            if (!up) {
                close();
            }
        }
    }

    /**
     * Returns true if the broker answers and lists itself among the cluster's nodes, which it does
     * after its recovery.
     */
    private boolean serves() throws IOException {
        try (Socket connected = new Socket(InetAddress.getByName("127.0.0.1"), process.port())) {
            // Probes the port first: a Kafka client would wait longer between its attempts.
        }
        try (Admin admin = admin()) {
            return !admin.describeCluster().nodes().get().isEmpty();
        } catch (ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The broker's address for clients, {@code host:port}. */
    public String bootstrapServers() {
        return process.address();
    }

    /** Returns an admin client, which the caller closes. */
    public Admin admin() {
        return Admin.create(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers(),
                        "enable.metrics.push",
                        "false",
                        "default.api.timeout.ms",
                        "10000",
                        "request.timeout.ms",
                        "5000"));
    }

    /**
     * The broker's process id.
     *
     * @throws IllegalStateException if the broker was stopped
     */
    public long pid() throws IOException {
        return process.pid().orElseThrow(() -> new IllegalStateException("the broker was stopped"));
    }

    /** The directory of the broker's logs. */
    public Path logs() {
        return process.logs();
    }

    /** The directory of the broker's data. */
    public Path data() {
        return process.data();
    }

    /** Kills the broker, as {@code kill -9} does. */
    public void kill() throws IOException {
        process.kill();
    }

    /** Shuts the broker down in order; does nothing if it has ended. */
    public void stop() throws IOException {
        process.stop(STOP);
    }

    /**
     * Starts the broker again with the same port, configuration and data. Shuts it down first if it
     * still runs.
     *
     * @throws IllegalStateException as {@link #start} does
     */
    public void restart() throws IOException {
        stop();
        startProcess();
    }

    /** Same as {@link #stop}. */
    @Override
    public void close() throws IOException {
        stop();
    }
}
