package dev.levee.jobs.internal.config;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;

import java.time.Duration;

/** Flink configuration that jobs of training and of estimates share. */
public final class FlinkDefaults {
    private FlinkDefaults() {}

    /**
     * A job's configuration.
     *
     * @param maxParallelism of the job
     * @param interval between checkpoints
     * @param checkpoints absolute URI of the directory for them
     * @param restarts how often the job may start anew
     */
    public static Configuration of(
            int maxParallelism, Duration interval, String checkpoints, int restarts) {
        Configuration flink = new Configuration();
        flink.set(PipelineOptions.MAX_PARALLELISM, maxParallelism);
        flink.set(ExecutionOptions.BUFFER_TIMEOUT, Duration.ZERO);
        flink.set(StateBackendOptions.STATE_BACKEND, "hashmap");
        // A record or state that only Kryo could serialize fails the job before it starts.
        flink.set(PipelineOptions.GENERIC_TYPES, false);
        flink.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, interval);
        flink.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints);
        flink.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        // The older one is for a newest one that turns out to be damaged.
        flink.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 2);
        // A failed checkpoint is tolerated: the one before it still serves.
        flink.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, Integer.MAX_VALUE);
        // A job that is over has written its results, and would wait for a last checkpoint for as
        // long as that fails.
        flink.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, false);
        flink.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
        flink.set(
                RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF,
                Duration.ofMillis(500));
        flink.set(
                RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF,
                Duration.ofSeconds(10));
        flink.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_ATTEMPTS, restarts);
        return flink;
    }
}
