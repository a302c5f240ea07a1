package dev.levee.operators;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Attacks;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * An elastic run whose workers and batch change on the way, and that fails again and again, ends
 * with the bits of one that changes as much and does not fail.
 */
@Tag("cluster")
class ElasticRecoveryTest {
    private static final int FAILURES = 20;

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(2)
                            .setNumberSlotsPerTaskManager(2)
                            .build());

    @TempDir private Path directory;

    private Training training(String failures) throws Exception {
        Path control = directory.resolve("control.json");
        Files.writeString(
                control,
                "{\"timestamp\": 1, \"batchSize\": 5, \"workers\": 4, \"learningRate\": 0.1,"
                        + " \"fromRound\": 120}");
        Training base = Trainings.logistic(3, 1, "trimmed-mean", 400);
        return new TrainingBuilder(base)
                .runId("elastic" + failures.charAt(0))
                .model(new Quadratic(140_000, 1000, failures))
                .attack(Attacks.parse("little-is-enough"), 1)
                .batchSize(4)
                .momentum(0.9, Training.MomentumSide.WORKER)
                .evalInterval(100)
                .elasticity(new Elasticity(3, 6, 30, 0, 0.1, control.toUri().toString()))
                .build();
    }

    private static RunResult run(Training training) throws Exception {
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
        // The run starts with three workers and finds four subtasks.
        environment.setParallelism(4);
        KeptResult sink = new KeptResult(training.runId());
        TrainingJob.build(environment, training, sink);
        environment.execute("elastic recovery");
        return sink.take();
    }

    @Test
    void failuresChangeNoBit() throws Exception {
        Quadratic.failures("elastic", FAILURES);
        RunResult disturbed = run(training("elastic"));
        assertThat(Quadratic.failuresLeft("elastic")).isZero();
        Quadratic.failures("quiet", 0);
        RunResult quiet = run(training("quiet"));

        assertThat(disturbed.parameters()).isEqualTo(quiet.parameters());
        assertThat(disturbed.rounds()).extracting(RoundReport::batchSize).contains(4, 5);
        assertThat(disturbed.rounds()).extracting(report -> report.rows().length).contains(3, 4);
        assertThat(disturbed.rounds()).hasSameSizeAs(quiet.rounds());
        assertThat(disturbed.workers().get(3).accepted())
                .isEqualTo(disturbed.rounds().size() - 1L)
                .isEqualTo(quiet.workers().get(3).accepted());
        long samples = 0;
        for (RoundReport round : disturbed.rounds()) {
            samples += (long) round.rows().length * round.batchSize();
        }
        assertThat(samples).isBetween(400L * 3 * 4, 400L * 3 * 4 + 3);
    }
}
