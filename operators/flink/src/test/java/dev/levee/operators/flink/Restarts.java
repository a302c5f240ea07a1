package dev.levee.operators.flink;

import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.Training;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

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
        Configuration configuration = new Configuration();
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
        return run(trainings, parallelism, unaligned, configuration);
    }

    /** Runs a training to its end without any checkpoint. */
    static RunResult runWithoutCheckpoints(Training training, int parallelism) throws Exception {
        return run(List.of(training), parallelism, false, new Configuration()).get(0);
    }

    private static List<RunResult> run(
            List<Training> trainings,
            int parallelism,
            boolean unaligned,
            Configuration configuration)
            throws Exception {
        configuration.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, false);
        configuration.set(CheckpointingOptions.ENABLE_UNALIGNED, unaligned);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration);
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
}
