package dev.levee.jobs.internal.cluster;

import org.apache.kafka.common.Uuid;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process of a local Kafka broker and its files: {@code conf/server.properties}, {@code log/}
 * with its output, and {@code data/} with its data.
 */
public final class BrokerProcess extends ServerProcess {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Pattern FAILURE =
            Pattern.compile("^Exception in thread \"main\" [\\w.$]+: (.*)$", Pattern.MULTILINE);

    private BrokerProcess(Path directory, Properties properties) {
        super(directory, config(directory), properties);
    }

    /**
     * Writes the configuration of a new process over existing data, if any. Does not start it.
     *
     * @param port for clients, 0 for any that is free
     * @param configuration further broker options
     */
    public static BrokerProcess create(Path directory, int port, Map<String, String> configuration)
            throws IOException {
        Properties properties =
                BrokerConfig.of(Ports.free(port), Ports.free(0), data(directory), configuration);
        BrokerProcess broker = new BrokerProcess(directory, properties);
        broker.processes.create();
        broker.write();
        return broker;
    }

    /** Finds the process that was started in a directory, if it still runs. */
    public static Optional<BrokerProcess> find(Path directory) throws IOException {
        if (!Files.exists(config(directory))) {
            return Optional.empty();
        }
        BrokerProcess broker = new BrokerProcess(directory, load(config(directory)));
        return broker.runs() ? Optional.of(broker) : Optional.empty();
    }

    private static Path config(Path directory) {
        return directory.resolve("conf/server.properties");
    }

    /** Deletes what a broker has stored in a directory. */
    public static void deleteData(Path directory) throws IOException {
        FileTree.delete(data(directory));
    }

    /** The address for clients, {@code host:port}. */
    public String address() {
        return BrokerConfig.address(properties);
    }

    /**
     * Formats the data directory if it is new, and checks the configuration.
     *
     * @throws IllegalStateException if Kafka does not accept it; one sentence
     */
    public void format() throws IOException {
        Path meta = data().resolve("meta.properties");
        String cluster =
                Files.exists(meta)
                        ? load(meta).getProperty("cluster.id")
                        : Uuid.randomUuid().toString();
        int exit =
                processes.run(
                        "format",
                        List.of("-XX:TieredStopAtLevel=1"),
                        classPath(),
                        List.of(
                                "kafka.tools.StorageTool",
                                "format",
                                "--ignore-formatted",
                                "--cluster-id",
                                cluster,
                                "--config",
                                config.toString()),
                        PATIENCE);
        if (exit != 0) {
            throw new IllegalStateException("the broker cannot start: " + failure());
        }
    }

    private String failure() throws IOException {
        Path file = logs().resolve("format.out");
        Matcher matcher = FAILURE.matcher(Files.readString(file));
        return matcher.find() ? matcher.group(1) : "see " + file;
    }

    /**
     * Starts the process.
     *
     * @throws IllegalStateException if the port is taken; one sentence
     */
    public void start() throws IOException {
        Ports.free(port());
        processes.start(
                "broker",
                List.of("-Xmx512m"),
                classPath(),
                List.of("kafka.Kafka", config.toString()));
    }

    /** The port of {@link #address}. */
    public int port() {
        return Integer.parseInt(address().substring(address().indexOf(':') + 1));
    }

    private static String classPath() throws IOException {
        return String.join(File.pathSeparator, LeveeHome.find().kafkaClassPath());
    }
}
