package dev.levee.jobs.cluster;

import dev.levee.jobs.internal.cluster.LeveeHome;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.UnsupportedFileSystemSchemeException;
import org.apache.flink.core.plugin.DefaultPluginManager;
import org.apache.flink.core.plugin.DirectoryBasedPluginFinder;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Makes {@code s3a://} and {@code s3://} known to this process, through Flink's plugin. The
 * endpoint and the keys come from the first of these sources that has them: Flink's configuration
 * in {@code FLINK_CONF_DIR}; Hadoop's {@code core-site.xml} in {@code HADOOP_CONF_DIR}; the
 * environment, {@code AWS_ENDPOINT_URL}, {@code AWS_ACCESS_KEY_ID}, {@code AWS_SECRET_ACCESS_KEY};
 * the local server, if one runs.
 */
public final class ObjectStores {
    private static final Set<String> SCHEMES = Set.of("s3a", "s3");
    private static final String ENDPOINT = "s3.endpoint";
    private static final String ACCESS_KEY = "s3.access-key";
    private static final String SECRET_KEY = "s3.secret-key";
    private static final String PATH_STYLE = "s3.path.style.access";
    private static final String ENCRYPTED = "s3.connection.ssl.enabled";

    /**
     * Logs a warning about a file that newer JDKs lack. Held here, because a collected logger would
     * lose its level.
     */
    private static final Logger MIME_TYPES =
            Logger.getLogger("com.amazonaws.services.s3.internal.Mimetypes");

    /**
     * Settings for callers that retry by themselves. By default, Hadoop's S3A retries an
     * unreachable store for a quarter of an hour.
     */
    static final Map<String, String> IMPATIENT =
            Map.of(
                    "s3.attempts.maximum", "2",
                    "s3.retry.limit", "2",
                    "s3.retry.interval", "100ms",
                    "s3.retry.throttle.limit", "4",
                    "s3.connection.establish.timeout", "5000",
                    "s3.connection.timeout", "20000");

    /** Default settings, with which an unreachable store is retried for seconds only. */
    static final Map<String, String> PATIENT =
            Map.of(
                    "s3.attempts.maximum", "3",
                    "s3.retry.limit", "3",
                    "s3.retry.interval", "200ms",
                    "s3.connection.establish.timeout", "5000");

    private static final int PROBE_MILLIS = 5000;

    /** The configuration that this process was last prepared with. */
    private static Configuration prepared = new Configuration();

    private ObjectStores() {}

    /**
     * Prepares this process with the endpoint and keys of its environment or of the local server.
     */
    public static void prepare() throws IOException {
        Configuration all = configured(null);
        PATIENT.forEach((key, value) -> missing(all, key, value));
        prepare(all);
    }

    /**
     * Returns the file system of a path. Prepares this process first if no word of its command line
     * named an object, and the path is the first that does.
     */
    public static FileSystem files(org.apache.flink.core.fs.Path path) throws IOException {
        try {
            return path.getFileSystem();
        } catch (UnsupportedFileSystemSchemeException e) {
            if (!SCHEMES.contains(path.toUri().getScheme())) {
                throw e;
            }
            prepare();
            return path.getFileSystem();
        }
    }

    /**
     * Returns whether the endpoint of this process accepts connections. Also true if no endpoint is
     * set, or if a proxy lies between.
     */
    public static boolean reachable() {
        URI address = endpoint().orElse(URI.create(""));
        if (address.getHost() == null || proxied()) {
            return true;
        }
        int port = address.getPort();
        if (port < 0) {
            port = "http".equals(address.getScheme()) ? 80 : 443;
        }
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.getHost(), port), PROBE_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static synchronized boolean proxied() {
        return prepared.containsKey("s3.proxy.host") || prepared.containsKey("fs.s3a.proxy.host");
    }

    /**
     * Prepares this process for the server at an address. The keys come from the environment or the
     * local server. Failed requests are retried for seconds only, because the callers retry by
     * themselves.
     *
     * @param endpoint a URL, null for that of the environment or the local server
     */
    public static void prepareToServe(String endpoint) throws IOException {
        Configuration all = configured(endpoint);
        IMPATIENT.forEach((key, value) -> missing(all, key, value));
        prepare(all);
    }

    private static Configuration configured(String endpoint) throws IOException {
        Configuration flink =
                System.getenv("FLINK_CONF_DIR") == null
                        ? new Configuration()
                        : GlobalConfiguration.loadConfiguration();
        String hadoop = System.getenv("HADOOP_CONF_DIR");
        if (hadoop != null) {
            CoreSite.s3(Path.of(hadoop)).forEach((key, value) -> missing(flink, key, value));
        }
        Optional<LocalStore> local = LocalStore.find(LeveeHome.find().storeDirectory());
        Configuration all = configured(flink, System.getenv(), local);
        if (endpoint != null) {
            all.setString(ENDPOINT, endpoint);
            all.setString(PATH_STYLE, "true");
            all.setString(ENCRYPTED, String.valueOf(secure(all)));
        }
        return all;
    }

    /** The endpoint that this process reads objects from, if one is set. */
    public static synchronized Optional<URI> endpoint() {
        String address = prepared.getString(ENDPOINT, "");
        return address.isEmpty() ? Optional.empty() : Optional.of(URI.create(address));
    }

    /** Reads objects through a proxy of the endpoint until this is closed. */
    public static Closeable through(InetSocketAddress proxy) throws IOException {
        Configuration direct;
        synchronized (ObjectStores.class) {
            direct = new Configuration(prepared);
        }
        Configuration indirect = new Configuration(direct);
        indirect.setString(ENDPOINT, "http://" + proxy.getHostString() + ":" + proxy.getPort());
        prepare(indirect);
        return () -> prepare(direct);
    }

    /** Prepares this process for one server. */
    public static void prepare(LocalStore store) throws IOException {
        prepare(configured(new Configuration(), Map.of(), Optional.of(store)));
    }

    static Configuration configured(
            Configuration flink, Map<String, String> environment, Optional<LocalStore> local) {
        Configuration all = new Configuration(flink);
        if (environment.containsKey("AWS_ENDPOINT_URL")) {
            missing(all, ENDPOINT, environment.get("AWS_ENDPOINT_URL"));
        } else if (!environment.containsKey("AWS_ACCESS_KEY_ID") && !all.containsKey(ENDPOINT)) {
            local.ifPresent(
                    store -> {
                        all.setString(ENDPOINT, store.endpoint());
                        missing(all, ACCESS_KEY, store.accessKey());
                        missing(all, SECRET_KEY, store.secretKey());
                    });
        }
        if (all.containsKey(ENDPOINT)) {
            // Most servers other than Amazon's have no host name for each bucket.
            missing(all, PATH_STYLE, "true");
            String address = all.getString(ENDPOINT, "");
            if (!address.isEmpty() && !address.contains("://")) {
                // S3A accepts an endpoint without a scheme.
                boolean plain = "false".equals(all.getString(ENCRYPTED, ""));
                all.setString(ENDPOINT, (plain ? "http://" : "https://") + address);
            }
            missing(all, ENCRYPTED, String.valueOf(secure(all)));
        }
        return all;
    }

    private static boolean secure(Configuration configuration) {
        return !configuration.getString(ENDPOINT, "").startsWith("http:");
    }

    private static void missing(Configuration configuration, String key, String value) {
        if (!configuration.containsKey(key)) {
            configuration.setString(key, value);
        }
    }

    static void prepare(Configuration configuration) throws IOException {
        synchronized (ObjectStores.class) {
            prepared = configuration;
        }
        MIME_TYPES.setLevel(Level.SEVERE);
        // Otherwise the first use of Amazon's library prints a page about its end of life.
        System.setProperty("aws.java.v1.disableDeprecationAnnouncement", "true");
        Path plugins = LeveeHome.find().plugins();
        FileSystem.initialize(
                configuration,
                new DefaultPluginManager(
                        new DirectoryBasedPluginFinder(plugins).findPlugins(),
                        CoreOptions.getPluginParentFirstLoaderPatterns(configuration)));
    }
}
