package dev.levee.jobs.cluster;

import dev.levee.jobs.internal.cluster.Home;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.plugin.DefaultPluginManager;
import org.apache.flink.core.plugin.DirectoryBasedPluginFinder;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * Makes {@code s3a://} and {@code s3://} known to this process, through Flink's plugin. Endpoint
 * and keys are, the first that says something: Flink's configuration in {@code FLINK_CONF_DIR}; the
 * environment, {@code AWS_ENDPOINT_URL}, {@code AWS_ACCESS_KEY_ID}, {@code AWS_SECRET_ACCESS_KEY};
 * the local server, if one runs.
 */
public final class ObjectStores {
    private static final String ENDPOINT = "s3.endpoint";
    private static final String ACCESS_KEY = "s3.access-key";
    private static final String SECRET_KEY = "s3.secret-key";

    /** It misses a file that Java no longer has; held, or the setting would be collected. */
    private static final Logger MIME_TYPES =
            Logger.getLogger("com.amazonaws.services.s3.internal.Mimetypes");

    private ObjectStores() {}

    /** True if one of some words names an object in S3. */
    public static boolean named(String... words) {
        return Stream.of(words).anyMatch(word -> word.contains("s3a://") || word.contains("s3://"));
    }

    /** Prepares this process as its environment and the local server say. */
    public static void prepare() throws IOException {
        Configuration flink =
                System.getenv("FLINK_CONF_DIR") == null
                        ? new Configuration()
                        : GlobalConfiguration.loadConfiguration();
        Optional<LocalStore> local = LocalStore.find(Home.find().storeDirectory());
        prepare(configured(flink, System.getenv(), local));
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
            // Servers other than Amazon's seldom have a name for each bucket.
            missing(all, "s3.path.style.access", "true");
            missing(all, "s3.connection.ssl.enabled", String.valueOf(secure(all)));
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

    private static void prepare(Configuration configuration) throws IOException {
        MIME_TYPES.setLevel(Level.SEVERE);
        // Else its first use prints a page about the end of its line.
        System.setProperty("aws.java.v1.disableDeprecationAnnouncement", "true");
        Path plugins = Home.find().plugins();
        FileSystem.initialize(
                configuration,
                new DefaultPluginManager(
                        new DirectoryBasedPluginFinder(plugins).findPlugins(),
                        CoreOptions.getPluginParentFirstLoaderPatterns(configuration)));
    }
}
