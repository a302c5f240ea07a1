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
 * A real S3 server on this machine: one process, over a directory. It outlives the process that
 * started it unless closed, and {@link #find} finds it again. Its data stay in the directory when
 * it ends, however it ends.
 */
public final class LocalStore implements AutoCloseable {
    private static final Duration STOP = Duration.ofSeconds(30);

    private final StoreProcess process;

    private LocalStore(StoreProcess process) {
        this.process = process;
    }

    /** Starts a server at 127.0.0.1. */
    public static LocalStore start(Path directory, int port) throws IOException {
        return start(directory, "127.0.0.1", port);
    }

    /**
     * Starts a server and waits until it answers.
     *
     * @param directory receives configuration, logs and data; data that are there are used
     * @param host name or IPv4 address to listen at
     * @param port for clients, 0 for any that is free
     * @throws IllegalStateException if one runs in the directory already, the port is taken, or it
     *     does not come up; one sentence
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

    /** The server that was started in a directory, if it still runs. */
    public static Optional<LocalStore> find(Path directory) throws IOException {
        return StoreProcess.find(directory.toAbsolutePath()).map(LocalStore::new);
    }

    /** The URL that clients use. */
    public String endpoint() {
        return process.endpoint();
    }

    /** The access key that it takes. */
    public String accessKey() {
        return process.accessKey();
    }

    /** The secret key to it. */
    public String secretKey() {
        return process.secretKey();
    }

    /** The directory of its logs. */
    public Path logs() {
        return process.logs();
    }

    /** The directory of its data. */
    public Path data() {
        return process.data();
    }

    /** Makes a bucket, if there is none of this name. */
    public void bucket(String name) throws IOException {
        Files.createDirectories(data().resolve(name));
    }

    /** Names of its buckets. */
    public List<String> buckets() throws IOException {
        try (Stream<Path> all = Files.list(data())) {
            return all.filter(Files::isDirectory)
                    .map(each -> each.getFileName().toString())
                    .filter(name -> !name.startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    /** Ends it at once, as {@code kill -9} does. */
    public void kill() throws IOException {
        process.kill();
    }

    /** Lets it end in order; does nothing if it has ended. */
    @Override
    public void close() throws IOException {
        process.stop(STOP);
    }
}
