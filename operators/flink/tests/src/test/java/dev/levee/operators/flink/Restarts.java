package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.Training;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** Runs whose every failure is followed by a restart at once. */
final class Restarts {
    private Restarts() {}

    /** Runs a training to its end, with a checkpoint every 50 ms. */
    static RunResult run(Training training, int parallelism, boolean unaligned) throws Exception {
        return run(List.of(training), parallelism, unaligned).get(0);
    }

    /** Runs trainings in one job to their end, with a checkpoint every 50 ms. */
    static List<RunResult> run(List<Training> trainings, int parallelism, boolean unaligned)
            throws Exception {
        return run(trainings, parallelism, environment(null, unaligned, true));
    }

    /** Runs a training to its end without any checkpoint. */
    static RunResult runWithoutCheckpoints(Training training, int parallelism) throws Exception {
        return run(List.of(training), parallelism, environment(null, false, false)).get(0);
    }

    private static List<RunResult> run(
            List<Training> trainings, int parallelism, StreamExecutionEnvironment environment)
            throws Exception {
        environment.setParallelism(parallelism);
        List<KeptResult> sinks = new ArrayList<>();
        for (Training training : trainings) {
            KeptResult sink = new KeptResult(training.runId());
            sinks.add(sink);
            TrainingJob.build(environment, training, sink);
        }
        environment.execute(trainings.get(0).runId());
        return sinks.stream().map(KeptResult::take).toList();
    }

    /** Starts a training, from a savepoint if there is one. */
    static JobClient start(Training training, int parallelism, Path savepoint) throws Exception {
        StreamExecutionEnvironment environment = environment(savepoint, false, true);
        environment.setParallelism(parallelism);
        TrainingJob.build(environment, training, new KeptResult(training.runId()));
        return environment.executeAsync(training.runId());
    }

    /** Stops a job once all of its tasks run; returns the savepoint. */
    static Path stop(JobClient job, Path directory) throws Exception {
        while (true) {
            try {
                String path =
                        job.stopWithSavepoint(
                                        false,
                                        directory.toUri().toString(),
                                        SavepointFormatType.CANONICAL)
                                .get();
                return Path.of(URI.create(path));
            } catch (ExecutionException e) {
                // Not all tasks run yet.
                assertThat(job.getJobStatus().get().isGloballyTerminalState()).isFalse();
            }
        }
    }

    private static StreamExecutionEnvironment environment(
            Path savepoint, boolean unaligned, boolean checkpoints) {
        Configuration configuration = new Configuration();
        configuration.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, false);
        if (checkpoints) {
            configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
        }
        configuration.set(CheckpointingOptions.ENABLE_UNALIGNED, unaligned);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        if (savepoint != null) {
            configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint.toUri().toString());
        }
        return StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    }
}
