package dev.levee.operators;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("cluster")
class TrainingJobTest {
    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(2)
                            .setNumberSlotsPerTaskManager(2)
                            .build());

    static RunResult run(Training training, int parallelism) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, false);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        environment.setParallelism(parallelism);
        KeptResult sink = new KeptResult(training.runId() + parallelism);
        TrainingJob.build(environment, training, sink);
        environment.execute("training");
        return sink.take();
    }

    @Test
    void trainsTheSameModelAtEveryParallelism() throws Exception {
        Training training = Trainings.logistic(5, 1, "median", 100);
        RunResult one = run(training, 1);
        RunResult three = run(training, 3);
        assertThat(one.rounds()).hasSize(100);
        assertThat(one.evaluations().get(one.evaluations().size() - 1).accuracy())
                .isGreaterThan(0.6);
        assertThat(three.parameters()).isEqualTo(one.parameters());
    }
}
