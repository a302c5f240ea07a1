package dev.levee.jobs.internal.config;

import dev.levee.featureextraction.serve.StorageLimits;
import dev.levee.jobs.internal.config.setting.Setting;
import dev.levee.jobs.internal.config.setting.SettingsTable;
import dev.levee.jobs.internal.config.setting.Sizes;

import java.util.List;

/** A storage tier: which store it reads, what it may use, where it listens. */
public record StorageConfig(
        @Setting(
                        group = "Storage tier",
                        label = "URL",
                        derived = "as Flink's configuration, the environment or levee store say",
                        help =
                                "The object store to read, such as http://127.0.0.1:9000; keys are"
                                        + " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of the"
                                        + " environment.")
                String endpoint,
        @Setting(
                        group = "Storage tier",
                        label = "SIZE",
                        fallback = "1g",
                        help =
                                "Heap and native memory for requests and answers of each door, such"
                                        + " as 2g.")
                String memory,
        @Setting(
                        group = "Storage tier",
                        label = "N",
                        fallback = "1",
                        range = "[1, 128]",
                        help = "Requests that each door computes at the same time.")
                int threads,
        @Setting(
                        group = "Storage tier",
                        label = "N",
                        fallback = "1",
                        range = "[1, 128]",
                        help = "Subtasks that listen, each at a port of its own.")
                int doors,
        @Setting(
                        group = "Storage tier",
                        label = "ADDRESS",
                        fallback = "127.0.0.1",
                        help =
                                "Address to listen at; 0.0.0.0 means all. Who reaches it may read"
                                        + " what --objects says.")
                String listen,
        @Setting(
                        group = "Storage tier",
                        label = "PORT",
                        fallback = "7070",
                        range = "[0, 65535]",
                        help = "Port of the first door, 0 for any that is free; others follow.")
                int port,
        @Setting(
                        group = "Storage tier",
                        label = "PREFIX",
                        fallback = "s3a://, s3://",
                        help =
                                "What the objects that may be asked for begin with; may be repeated.")
                List<String> objects) {

    /** The settings above. */
    public static final SettingsTable<StorageConfig> SETTINGS =
            SettingsTable.of(StorageConfig.class);

    /**
     * Checks what no single setting shows.
     *
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public void check() {
        limits();
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
     * What each door may use.
     *
     * @throws IllegalArgumentException if the memory is no size; one sentence
     */
    public StorageLimits limits() {
        return new StorageLimits(Sizes.bytes("--memory", memory), threads, objects);
    }
}
