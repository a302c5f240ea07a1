package dev.levee.jobs.internal.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Properties;

/**
 * The process of a local server and its files: {@code conf/} with its properties, {@code log/} with
 * its output, and {@code data/} with its data.
 */
abstract class ServerProcess {
    private final Path directory;

    /** The file of the properties. */
    final Path config;

    /** The Java processes of the directory; there is only one. */
    final JavaProcesses processes;

    /** The configuration. */
    final Properties properties;

    ServerProcess(Path directory, Path config, Properties properties) {
        this.directory = directory;
        this.config = config;
        this.processes = new JavaProcesses(directory);
        this.properties = properties;
    }

    static Properties load(Path file) throws IOException {
        Properties properties = new Properties();
        try (var in = Files.newBufferedReader(file)) {
            properties.load(in);
        }
        return properties;
    }

    /** Writes the configuration. */
    final void write() throws IOException {
        try (var out = Files.newBufferedWriter(config)) {
            properties.store(out, null);
        }
    }

    static Path data(Path directory) {
        return directory.resolve("data");
    }

    /** The directory of its logs. */
    public final Path logs() {
        return processes.logs();
    }

    /** The directory of its data. */
    public final Path data() {
        return data(directory);
    }

    /** The process id, if the server was started and not stopped. */
    public final OptionalLong pid() throws IOException {
        return processes.list().stream().mapToLong(ClusterProcess::pid).findFirst();
    }

    /**
     * Returns a sentence that says that the server ended while starting, with the cause of the
     * first error it logged.
     */
    public final String ended() throws IOException {
        return processes.ended(processes.list().get(0).name());
    }

    /** True while the server runs. */
    public final boolean runs() throws IOException {
        return processes.list().stream().anyMatch(ClusterProcess::alive);
    }

    /** Kills the server, as {@code kill -9} does. */
    public final void kill() throws IOException {
        processes.list().forEach(ClusterProcess::kill);
    }

    /** Asks the server to end, and kills it if it has not ended after {@code patience}. */
    public final void stop(Duration patience) throws IOException {
        processes.stopAll(patience);
    }
}
