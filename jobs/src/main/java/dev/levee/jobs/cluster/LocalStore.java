package dev.levee.jobs.cluster;

import dev.levee.jobs.internal.cluster.StoreProcess;
import dev.levee.k8s.flink.rest.Await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A real S3 server on this machine: one process, which stores objects in a directory. It outlives
 * the process that started it unless closed, and {@link #find} finds it again. Its data stay in the
 * directory, however the process ends.
 */
public final class LocalStore implements AutoCloseable {
    private static final Duration STOP = Duration.ofSeconds(30);

    private final StoreProcess process;

    private LocalStore(StoreProcess process) {
        this.process = process;
    }

    /** Starts a server that listens at 127.0.0.1. */
    public static LocalStore start(Path directory, int port) throws IOException {
        return start(directory, "127.0.0.1", port);
    }

    /**
     * Starts a server and waits until it answers.
     *
     * @param directory receives configuration, logs and data; existing data are used
     * @param host name or IPv4 address to listen at
     * @param port for clients, 0 for any that is free
     * @throws IllegalStateException if a server already runs in the directory, the port is taken,
     *     or the server does not come up; one sentence
     */
    public static LocalStore start(Path directory, String host, int port) throws IOException {
        Optional<LocalStore> running = find(directory);
        if (running.isPresent()) {
            throw new IllegalStateException(
                    "an S3 server is already running at " + running.get().endpoint());
        }
        LocalStore store =
                new LocalStore(StoreProcess.create(directory.toAbsolutePath(), host, port));
        boolean up = false;
        try {
            store.process.start();
            boolean settled =
                    Await.until(
                            LocalCluster.PATIENCE,
                            () -> !store.process.runs() || store.process.answers());
            if (!settled || !store.process.runs()) {
                throw new IllegalStateException("the S3 server did not start; see " + store.logs());
            }
            up = true;
            return store;
        } finally {
            if (!up) {
                store.close();
            }
        }
    }

    /** Finds the server that was started in a directory, if it still runs. */
    public static Optional<LocalStore> find(Path directory) throws IOException {
        return StoreProcess.find(directory.toAbsolutePath()).map(LocalStore::new);
    }

    /** The URL that clients use. */
    public String endpoint() {
        return process.endpoint();
    }

    /** The access key of clients. */
    public String accessKey() {
        return process.accessKey();
    }

    /** The secret key that belongs to {@link #accessKey}. */
    public String secretKey() {
        return process.secretKey();
    }

    /** The directory of the server's logs. */
    public Path logs() {
        return process.logs();
    }

    /** The directory of the server's data. */
    public Path data() {
        return process.data();
    }

    /** Creates a bucket unless it exists. */
    public void bucket(String name) throws IOException {
        Files.createDirectories(data().resolve(name));
    }

    /** The names of the server's buckets. */
    public List<String> buckets() throws IOException {
        try (Stream<Path> all = Files.list(data())) {
            return all.filter(Files::isDirectory)
                    .map(each -> each.getFileName().toString())
                    .filter(name -> !name.startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    /** Kills the server, as {@code kill -9} does. */
    public void kill() throws IOException {
        process.kill();
    }

    /** Shuts the server down in order; does nothing if it has ended. */
    @Override
    public void close() throws IOException {
        process.stop(STOP);
    }
}
