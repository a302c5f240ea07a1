package dev.levee.jobs.internal.cluster;

import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * The process of a local S3 server and its files: {@code conf/s3proxy.conf} with its address and
 * keys, {@code log/} with its output, and {@code data/} with a directory for each bucket.
 */
public final class StoreProcess extends ServerProcess {
    private static final String ENDPOINT = "s3proxy.endpoint";
    private static final String IDENTITY = "s3proxy.identity";
    private static final String CREDENTIAL = "s3proxy.credential";

    private StoreProcess(Path directory, Properties properties) {
        super(directory, config(directory), properties);
    }

    /**
     * Writes the configuration of a new process over existing data, if any. Does not start it.
     *
     * @param host name or IPv4 address to listen at
     * @param port for clients, 0 for any that is free
     */
    public static StoreProcess create(Path directory, String host, int port) throws IOException {
        Properties properties = new Properties();
        properties.setProperty(ENDPOINT, "http://%s:%d".formatted(host, Ports.free(port)));
        properties.setProperty("s3proxy.authorization", "aws-v2-or-v4");
        properties.setProperty(IDENTITY, "levee");
        properties.setProperty(CREDENTIAL, secret(directory));
        properties.setProperty("jclouds.provider", "filesystem-nio2");
        // S3Proxy requires keys for its back end too; a directory ignores them.
        properties.setProperty("jclouds.identity", "none");
        properties.setProperty("jclouds.credential", "none");
        properties.setProperty("jclouds.filesystem.basedir", data(directory).toString());
        StoreProcess store = new StoreProcess(directory, properties);
        store.processes.create();
        Files.createDirectories(store.data());
        forOwnerOnly(config(directory));
        store.write();
        return store;
    }

    /** Creates a file that only its owner can read, because it will hold a key. */
    private static void forOwnerOnly(Path file) throws IOException {
        boolean posix = Files.getFileStore(file.getParent()).supportsFileAttributeView("posix");
        if (posix && !Files.exists(file)) {
            Files.createFile(
                    file,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
        }
    }

    /** Reuses the key of an earlier process, so that its clients can continue. */
    private static String secret(Path directory) throws IOException {
        if (Files.exists(config(directory))) {
            return load(config(directory)).getProperty(CREDENTIAL);
        }
        byte[] bytes = new byte[20];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Finds the process that was started in a directory, if it still runs. */
    public static Optional<StoreProcess> find(Path directory) throws IOException {
        if (!Files.exists(config(directory))) {
            return Optional.empty();
        }
        StoreProcess store = new StoreProcess(directory, load(config(directory)));
        return store.runs() ? Optional.of(store) : Optional.empty();
    }

    private static Path config(Path directory) {
        return directory.resolve("conf/s3proxy.conf");
    }

    /** The URL that clients use. */
    public String endpoint() {
        return properties.getProperty(ENDPOINT);
    }

    /** The access key of clients. */
    public String accessKey() {
        return properties.getProperty(IDENTITY);
    }

    public String secretKey() {
        return properties.getProperty(CREDENTIAL);
    }

    public void start() throws IOException {
        processes.start(
                "store",
                List.of("-Xmx256m"),
                String.join(File.pathSeparator, LeveeHome.find().storeClassPath()),
                List.of("org.gaul.s3proxy.Main", "--properties", config.toString()));
    }

    /** Returns true if the server answers, even with a refusal of an unsigned request. */
    public boolean answers() {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(endpoint()).toURL().openConnection();
            connection.setConnectTimeout(1000);
            connection.setReadTimeout(1000);
            return connection.getResponseCode() > 0;
        } catch (IOException e) {
            return false;
        }
    }
}
