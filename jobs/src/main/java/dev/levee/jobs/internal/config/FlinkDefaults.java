package dev.levee.jobs.internal.config;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;

import java.time.Duration;

/** Creates the Flink configuration that trainings and estimates share. */
public final class FlinkDefaults {
    private FlinkDefaults() {}

    /**
     * Creates a job's configuration.
     *
     * @param maxParallelism maximum parallelism of the job
     * @param interval interval between checkpoints
     * @param checkpoints absolute URI of the checkpoint directory
     * @param restarts maximum number of restarts of the job
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
        // The older checkpoint is used if the newest one is damaged.
        flink.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 2);
        // A failed checkpoint is tolerated, because the previous one is still usable.
        flink.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, Integer.MAX_VALUE);
        // A finished job has written its results. It would wait for a last checkpoint, even if that
        // keeps failing.
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
