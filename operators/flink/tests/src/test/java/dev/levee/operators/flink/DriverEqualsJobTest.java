package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Attacks;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.DrivenRun;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.driver.RoundDriver;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The driver is worth what it has in common with a job: the bits of the result. */
@Tag("cluster")
class DriverEqualsJobTest {
    @ParameterizedTest
    @ValueSource(strings = {"multi-krum", "zeno"})
    void theSameTrainingEndsAtTheSameBits(String rule) throws Exception {
        Training training =
                Trainings.attacked(
                        Trainings.logistic(7, 2, rule, 40), 2, Attacks.parse("little-is-enough"));
        DrivenRun driven;
        try (LearnedGradients gradients = new LearnedGradients(training)) {
            driven =
                    RoundDriver.of(training, 5)
                            .gradients(gradients)
                            .disturbances(Disturbances.delays(2000).withCrashes(0.002, 0.004, 9))
                            .run();
        }
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        environment.setParallelism(2);
        KeptResult sink = new KeptResult("driver equals job");
        TrainingJob.build(environment, training, sink);
        environment.execute("training");
        RunResult job = sink.take();

        assertThat(driven.restores()).isPositive();
        assertThat(driven.parameters()).isEqualTo(job.parameters());
        for (int round = 0; round < 40; round++) {
            assertThat(driven.rounds().get(round).loss()).isEqualTo(job.rounds().get(round).loss());
            assertThat(driven.rounds().get(round).selected())
                    .isEqualTo(job.rounds().get(round).selected());
        }
    }
}
