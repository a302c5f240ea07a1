package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.Attacks;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.Training;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.time.Duration;

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
    void silentAttackersAreMissedOnceARound() throws Exception {
        Training training =
                Trainings.attacked(
                        Trainings.patient(
                                Trainings.logistic(7, 2, "multi-krum", 2),
                                7,
                                Duration.ofSeconds(5)),
                        2,
                        Attacks.parse("silent"));
        RunResult result = run(training, 2);
        assertThat(result.rounds()).hasSize(2);
        assertThat(result.rounds()).allSatisfy(r -> assertThat(r.faults()).contains(5, 6));
        assertThat(result.workers().get(6).rejected()[Rejection.MISSING.ordinal()]).isEqualTo(2);
        assertThat(result.workers().get(0).accepted()).isEqualTo(2);
    }

    @Test
    void aQuorumDoesNotWaitForAStalledWorker() throws Exception {
        Training base = Trainings.logistic(4, 1, "median", 30);
        Training training =
                Trainings.patient(Trainings.with(base, new Stalling(base.model())), 3, null);
        try {
            RunResult result = run(training, 4);
            assertThat(result.rounds()).hasSize(30);
            assertThat(result.workers())
                    .filteredOn(w -> w.worker() >= 0 && w.accepted() == 0)
                    .hasSize(1);
        } finally {
            Stalling.release();
        }
    }

    @Test
    void tooManyFaultsStopTheJobWithASentence() {
        Training training =
                Trainings.attacked(
                        Trainings.logistic(7, 2, "multi-krum", 20), 3, Attacks.parse("nan"));
        assertThatThrownBy(() -> run(training, 2))
                .rootCause()
                .hasMessageContaining("round 0 has more proven faults than f = 2")
                .hasMessageContaining("worker 5 (sent NaN or infinity)");
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
