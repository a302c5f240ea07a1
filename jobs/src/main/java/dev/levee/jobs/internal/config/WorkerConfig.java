package dev.levee.jobs.internal.config;

import dev.levee.connectors.kafka.wire.KeyDirectory;

import java.time.Duration;

/** Which worker a process is, and how it goes about it. */
public record WorkerConfig(
        @Setting(
                        group = "Worker",
                        label = "NAME",
                        help =
                                "Which worker this is: w0 to one below the number of workers. Needed.")
                String id,
        @Setting(
                        group = "Worker",
                        label = "TIME",
                        fallback = "30s",
                        help =
                                "How long after an answer the same is sent again if there is no"
                                        + " newer model.")
                Duration resendAfter,
        @Setting(
                        group = "Worker",
                        label = "FILE",
                        help =
                                "Keep what has to be remembered here, so that a worker that was"
                                        + " ended goes on as if it had not been. Without it, it knows"
                                        + " only its answer to the newest model, from the topic.")
                String state) {

    /** The settings above. */
    public static final SettingsTable<WorkerConfig> SETTINGS = SettingsTable.of(WorkerConfig.class);

    /**
     * The worker's number.
     *
     * @throws IllegalArgumentException if there is none; one sentence
     */
    public int number() {
        if (id == null) {
            throw new IllegalArgumentException("--id is needed: which worker this is, such as w3");
        }
        return Resolver.named("--id", () -> KeyDirectory.worker(id));
    }
}
