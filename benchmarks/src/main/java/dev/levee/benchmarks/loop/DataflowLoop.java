package dev.levee.benchmarks.loop;

import dev.levee.benchmarks.Spread;
import dev.levee.operators.flink.TrainingJob;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.RunSink;
import dev.levee.operators.rounds.training.Training;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Runs a training through Flink, embedded in this process. */
public final class DataflowLoop {
    private static final AtomicReference<RunResult> RESULT = new AtomicReference<>();

    private DataflowLoop() {}

    /** Keeps the result in this process. */
    private record Kept() implements RunSink {
        @Override
        public void finished(RunResult result) {
            RESULT.set(result);
        }
    }

    /** Runs the training and returns its rounds, except the first {@code warmUp}. */
    public static List<RoundReport> run(Training training, int parallelism, int warmUp)
            throws Exception {
        List<RoundReport> rounds = result(training, parallelism).rounds();
        return rounds.subList(warmUp, rounds.size());
    }

    /** Runs the training and returns its result. */
    public static RunResult result(Training training, int parallelism) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, false);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(128));
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(128));
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(parallelism, configuration);
        TrainingJob.build(environment, training, new Kept());
        environment.execute();
        return RESULT.getAndSet(null);
    }

    /** The median duration of a round in seconds. */
    public static double median(List<RoundReport> rounds) {
        return Spread.median(rounds.stream().mapToDouble(RoundReport::seconds));
    }

    /** The median duration of one phase in milliseconds. */
    static double medianPhase(List<RoundReport> rounds, int phase) {
        return Spread.median(rounds.stream().mapToDouble(r -> r.secondsByPhase()[phase])) * 1e3;
    }
}
