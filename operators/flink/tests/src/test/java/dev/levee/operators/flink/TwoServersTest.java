package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.Attacks;
import dev.levee.learners.Learner;
import dev.levee.operators.rounds.report.EvaluationReport;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.ServerResult;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.testing.DrivenRun;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.driver.RoundDriver;

import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Runs with two parameter servers, each with a model of two blocks. */
@Tag("cluster")
class TwoServersTest {
    private static final int ROUNDS = 25;
    private static final int WORKERS = 7;

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(2)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    /** Gradients that differ from server to server, so that no model could be another's. */
    private record ByServer(GradientWork work) implements Work {
        @Override
        public Result work(
                Work.Task task, Map<String, float[]> kept, int trainable, Gradients gradients) {
            Result result = work.work(task, kept, trainable, gradients);
            float[] values = result.values().clone();
            for (int i = 0; i < values.length; i++) {
                values[i] *= 1 + task.group();
            }
            return new Result(values, result.weight(), result.loss(), result.vectors());
        }
    }

    private static Training training(String failures) {
        return new TrainingBuilder(Trainings.logistic(WORKERS, 2, "nnm | multi-krum", ROUNDS))
                .runId("twoservers")
                .model(new Unsteady(new Quadratic(140_000, 1000), failures))
                .attack(Attacks.parse("little-is-enough"), 2)
                .batchSize(1)
                .work(new ByServer(new GradientWork(0.9)))
                .topology(new Topology(2))
                .evalInterval(25)
                .build();
    }

    @Test
    void eachServerEndsWithTheModelThatItHasInASimulatedRun() throws Exception {
        Training training = training("twoservers");
        DrivenRun driven;
        try (LearnedGradients gradients = new LearnedGradients(training)) {
            driven = RoundDriver.of(training, 3).gradients(gradients).run();
        }
        RunResult result = Restarts.disturbed("twoservers", 1, training, 2);

        assertThat(result.servers()).hasSize(2);
        assertThat(result.parameters()).isSameAs(result.servers().get(0).parameters());
        assertThat(driven.models().get(0)).isNotEqualTo(driven.models().get(1));
        for (int server = 0; server < 2; server++) {
            ServerResult each = result.servers().get(server);
            assertThat(each.parameters()).isEqualTo(driven.models().get(server));
            assertThat(each.roundCount()).isEqualTo(ROUNDS);
            assertThat(each.rounds().stream().mapToLong(RoundReport::round))
                    .containsExactlyElementsOf(LongStream.range(0, ROUNDS).boxed().toList());
            for (int worker = 0; worker < WORKERS; worker++) {
                assertThat(each.workers().get(worker).accepted()).isEqualTo(ROUNDS);
            }
            EvaluationReport last = each.evaluations().get(each.evaluations().size() - 1);
            assertThat(last.version()).isEqualTo(ROUNDS);
            assertThat(last.loss()).isEqualTo(loss(training, each.parameters()));
        }
    }

    private static double loss(Training training, float[] parameters) {
        try (Learner learner = training.model().newLearner()) {
            return learner.evaluate(parameters, null).loss();
        }
    }

    @Test
    void theFinalModelOfEachServerComesOut() throws Exception {
        Training training =
                new TrainingBuilder(training("none")).runId("twomodels").rounds(3).build();
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        environment.setParallelism(2);
        List<float[]> models = new ArrayList<>();
        try (CloseableIterator<float[]> all =
                TrainingJob.model(environment, training).executeAndCollect()) {
            all.forEachRemaining(models::add);
        }
        DrivenRun driven;
        try (LearnedGradients gradients = new LearnedGradients(training)) {
            driven = RoundDriver.of(training, 3).gradients(gradients).run();
        }
        assertThat(models).hasSize(2);
        assertThat(models.get(0)).isEqualTo(driven.models().get(0));
        assertThat(models.get(1)).isEqualTo(driven.models().get(1));
    }

    @Test
    void serversBehindKafkaExchangeModels() {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        assertThatThrownBy(
                        () -> TrainingJob.serve(environment, training("none"), null, result -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "several parameter servers behind Kafka exchange models, and workers read them"
                                + " AGGREGATE or PER_SERVER, got PER_SERVER without an exchange");
    }
}
