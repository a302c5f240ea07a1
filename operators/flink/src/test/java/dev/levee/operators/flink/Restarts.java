package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.flink.internal.loop.LocalExchange;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.Training;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** Runs whose every failure is followed by a restart at once, no more often than is planned. */
public final class Restarts {
    private Restarts() {}

    /** Runs a training to its end, in which nothing fails, without checkpoints. */
    public static RunResult run(Training training, int parallelism) throws Exception {
        return withoutCheckpoints("undisturbed", 0, training, parallelism);
    }

    /**
     * Runs a training to its end through failures, with a checkpoint every 100 ms. Checks that the
     * job restored a checkpoint after each failure, and at no other time.
     *
     * @param key of its {@link Unsteady} model
     */
    public static RunResult disturbed(String key, int failures, Training training, int parallelism)
            throws Exception {
        return disturbed(key, failures, List.of(training), parallelism, false).get(0);
    }

    /** Runs trainings in one job. */
    static List<RunResult> disturbed(
            String key, int failures, List<Training> trainings, int parallelism, boolean unaligned)
            throws Exception {
        Faults faults = Faults.plan(key, failures, true);
        List<RunResult> results =
                run(
                        faults,
                        key,
                        trainings,
                        parallelism,
                        environment(null, unaligned, true, failures));
        assertThat(faults.restored()).as("restored checkpoints").isEqualTo(failures);
        return results;
    }

    /** Runs a training to its end through failures, without any checkpoint. */
    static RunResult withoutCheckpoints(
            String key, int failures, Training training, int parallelism) throws Exception {
        Faults faults = Faults.plan(key, failures, false);
        return run(
                        faults,
                        key,
                        List.of(training),
                        parallelism,
                        environment(null, false, false, failures))
                .get(0);
    }

    private static List<RunResult> run(
            Faults faults,
            String key,
            List<Training> trainings,
            int parallelism,
            StreamExecutionEnvironment environment)
            throws Exception {
        environment.setParallelism(parallelism);
        List<KeptResult> sinks = new ArrayList<>();
        for (Training training : trainings) {
            KeptResult sink = new KeptResult(training.runId());
            sinks.add(sink);
            // A failure restarts its own training only.
            TrainingJob.build(environment, training, sink)
                    .process(new Faults.Watch(key))
                    .setParallelism(1)
                    .sinkTo(new DiscardingSink<>());
        }
        environment.execute(trainings.get(0).runId());
        assertThat(faults.left()).as("failures that did not happen").isZero();
        assertThat(LocalExchange.count()).isZero();
        return sinks.stream().map(KeptResult::take).toList();
    }

    /** Starts a training, from a savepoint if there is one. */
    static JobClient start(Training training, int parallelism, Path savepoint) throws Exception {
        StreamExecutionEnvironment environment = environment(savepoint, false, true, 0);
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
            Path savepoint, boolean unaligned, boolean checkpoints, int restarts) {
        Configuration configuration = new Configuration();
        configuration.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, false);
        if (checkpoints) {
            configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(100));
        }
        configuration.set(CheckpointingOptions.ENABLE_UNALIGNED, unaligned);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, restarts);
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        if (savepoint != null) {
            configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint.toUri().toString());
        }
        return StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    }
}
