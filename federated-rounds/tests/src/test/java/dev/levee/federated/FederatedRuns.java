package dev.levee.federated;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.data.Partition;
import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.federated.steps.ServerSteps;
import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.flink.TrainingJob;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.RunSink;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Small federated runs: logistic regression on strokes, and where their results go. */
public final class FederatedRuns {
    public static final String DATA = "strokes:?train=600&test=200&seed=1";

    private FederatedRuns() {}

    /** What is not the algorithm's own: 20 devices that are not alike. */
    public static TrainingBuilder run(long rounds) {
        Dataset data = Datasets.open(DATA, Datasets.Split.TRAIN);
        return new TrainingBuilder(
                        "federated1",
                        DATA,
                        Models.open("logistic", data.shape(), data.classes()),
                        Rules.parse("average"),
                        20,
                        0)
                .partition(Partition.parse("fegan(max_class=4,max_samples=40)"))
                .batchSize(8)
                .rounds(rounds)
                .seed(3);
    }

    /** FedAvg of a few steps. */
    public static Federation averaging(String sampling, int perRound, LocalSteps steps) {
        return new Federation(
                new Participation(Sampling.parse(sampling), perRound, Weighting.SAMPLES),
                LocalTraining.sgd(steps, 0.05),
                ServerSteps.parse("sgd", 1));
    }

    /** Runs to the end on the cluster of the test; every failure is followed by a restart. */
    static RunResult onFlink(Training training) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, false);
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        environment.setParallelism(2);
        Kept sink = new Kept(training.runId());
        TrainingJob.build(environment, training, sink);
        environment.execute(training.runId());
        return Kept.RESULTS.remove(training.runId());
    }

    private record Kept(String key) implements RunSink {
        private static final Map<String, RunResult> RESULTS = new ConcurrentHashMap<>();

        @Override
        public void finished(RunResult result) {
            RESULTS.put(key, result);
        }
    }
}
