package dev.levee.jobs.internal.config;

import dev.levee.featureextraction.serve.StorageLimits;
import dev.levee.jobs.internal.config.setting.Setting;
import dev.levee.jobs.internal.config.setting.SettingsTable;
import dev.levee.jobs.internal.config.setting.Sizes;

import java.util.List;

/** The settings of a storage tier: the store it reads, the memory it may use, its address. */
public record StorageConfig(
        @Setting(
                        group = "Storage tier",
                        label = "URL",
                        derived = "from Flink's configuration, the environment or levee store",
                        help =
                                "Object store to read, such as http://127.0.0.1:9000; the "
                                        + "keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY "
                                        + "in the environment.")
                String endpoint,
        @Setting(
                        label = "SIZE",
                        fallback = "1g",
                        help =
                                "Heap and native memory of each listener for requests and "
                                        + "answers, such as 2g.")
                String memory,
        @Setting(
                        label = "N",
                        fallback = "1",
                        range = "[1, 128]",
                        help = "Requests that each listener computes at the same time.")
                int threads,
        @Setting(
                        label = "N",
                        fallback = "1",
                        range = "[1, 128]",
                        help = "Number of listeners: subtasks with a port each.")
                int doors,
        @Setting(
                        label = "ADDRESS",
                        fallback = "127.0.0.1",
                        help =
                                "Address to listen on; 0.0.0.0 for all. Anyone who can "
                                        + "connect can read what --objects allows.")
                String listen,
        @Setting(
                        label = "PORT",
                        fallback = "7070",
                        range = "[0, 65535]",
                        help =
                                "Port of the first listener, 0 for any free port; the others "
                                        + "use the next ones.")
                int port,
        @Setting(
                        label = "PREFIX",
                        fallback = "s3a://, s3://",
                        help = "Prefix of the objects that clients may request; may be repeated.")
                List<String> objects) {

    /** All settings of this record. */
    public static final SettingsTable<StorageConfig> SETTINGS =
            SettingsTable.of(StorageConfig.class);

    /**
     * Checks combinations of settings.
     *
     * @param deployment where the tier runs
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public void check(Deployment deployment) {
        limits();
        deployment.check();
        if (!deployment.embedded() && port == 0) {
            throw new IllegalArgumentException(
                    "--port must be given with --target, because 0 would choose another port after"
                            + " each restart");
        }
        if (!deployment.embedded() && endpoint != null) {
            throw new IllegalArgumentException(
                    "--endpoint is for the embedded cluster; the cluster at --target uses"
                            + " s3.endpoint of its own configuration");
        }
        if (endpoint != null && !endpoint.matches("https?://[^/]+/?")) {
            throw new IllegalArgumentException(
                    "--endpoint must be an address such as http://127.0.0.1:9000, got " + endpoint);
        }
        if (port + doors - 1 > 65535) {
            throw new IllegalArgumentException(
                    "--port %d leaves too few ports for --doors %d".formatted(port, doors));
        }
    }

    /**
     * The limits of each listener.
     *
     * @throws IllegalArgumentException if the size of the memory is invalid; one sentence
     */
    public StorageLimits limits() {
        return new StorageLimits(Sizes.bytes("--memory", memory), threads, objects);
    }
}
