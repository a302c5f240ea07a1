package dev.levee.jobs.internal.estimate;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;

import java.time.Duration;
import java.util.Optional;

/** Flink's configuration for the job of an estimate. */
final class EstimateFlink {
    private EstimateFlink() {}

    /**
     * The configuration.
     *
     * @param interval between checkpoints
     * @param checkpoints absolute URI of the directory for them
     * @param from the checkpoint to go on from
     */
    static Configuration configuration(
            Duration interval, String checkpoints, Optional<String> from) {
        Configuration flink = new Configuration();
        flink.set(PipelineOptions.MAX_PARALLELISM, EstimateRun.MAX_PARALLELISM);
        // A fit is what is waited for, and what it predicts is soon needed.
        flink.set(ExecutionOptions.BUFFER_TIMEOUT, Duration.ZERO);
        flink.set(StateBackendOptions.STATE_BACKEND, "hashmap");
        flink.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, interval);
        flink.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints);
        flink.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        // The older one is for a newest one that turns out to be damaged.
        flink.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 2);
        flink.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, Integer.MAX_VALUE);
        // All slots end together, when all fits are done, and results are written by then.
        flink.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, false);
        flink.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
        flink.set(
                RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF,
                Duration.ofMillis(500));
        flink.set(
                RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF,
                Duration.ofSeconds(10));
        flink.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_ATTEMPTS, 10);
        from.ifPresent(path -> flink.set(StateRecoveryOptions.SAVEPOINT_PATH, path));
        return flink;
    }
}
