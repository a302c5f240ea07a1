package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.Attacks;
import dev.levee.learners.Learner;
import dev.levee.operators.flink.internal.loop.LocalExchange;
import dev.levee.operators.rounds.EvaluationReport;
import dev.levee.operators.rounds.GradientBlock;
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

import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
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

    /** Has a gradient fail once the job has a checkpoint to go on from. */
    private static final class FailsBehindACheckpoint extends ProcessFunction<GradientBlock, Void>
            implements CheckpointListener, CheckpointedFunction {
        private static final long serialVersionUID = 1L;
        private static final AtomicBoolean ARMED = new AtomicBoolean();
        private static final ConcurrentLinkedQueue<Long> RESTORED = new ConcurrentLinkedQueue<>();

        private final String failures;
        private transient ListState<Long> state;

        private FailsBehindACheckpoint(String failures) {
            this.failures = failures;
        }

        @Override
        public void processElement(GradientBlock late, Context context, Collector<Void> out) {}

        @Override
        public void notifyCheckpointComplete(long checkpoint) {
            if (ARMED.compareAndSet(true, false)) {
                Quadratic.failNext(failures);
            }
        }

        /** Something to restore: an operator without state is not told of a checkpoint. */
        @Override
        public void snapshotState(FunctionSnapshotContext context) throws Exception {
            state.update(List.of(context.getCheckpointId()));
        }

        @Override
        public void initializeState(FunctionInitializationContext context) throws Exception {
            state =
                    context.getOperatorStateStore()
                            .getListState(new ListStateDescriptor<>("checkpoint", Long.class));
            state.get().forEach(RESTORED::add);
        }
    }

    private static Training training(String failures) {
        return new TrainingBuilder(Trainings.logistic(WORKERS, 2, "nnm | multi-krum", ROUNDS))
                .runId("twoservers")
                .model(new Quadratic(140_000, 1000, failures))
                .attack(Attacks.parse("little-is-enough"), 2)
                .batchSize(1)
                .work(new ByServer(new GradientWork(0.9)))
                .topology(new Topology(2))
                .evalInterval(25)
                .build();
    }

    private static RunResult run(Training training) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, false);
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1);
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        environment.setParallelism(2);
        KeptResult sink = new KeptResult(training.runId());
        TrainingJob.build(environment, training, sink)
                .process(new FailsBehindACheckpoint(training.runId()))
                .setParallelism(1)
                .sinkTo(new DiscardingSink<>());
        environment.execute(training.runId());
        return sink.take();
    }

    @Test
    void eachServerEndsWithTheModelThatItHasInASimulatedRun() throws Exception {
        Training training = training("twoservers");
        Quadratic.failures(training.runId(), 0);
        DrivenRun driven;
        try (LearnedGradients gradients = new LearnedGradients(training)) {
            driven = RoundDriver.of(training, 3).gradients(gradients).run();
        }
        FailsBehindACheckpoint.RESTORED.clear();
        FailsBehindACheckpoint.ARMED.set(true);
        RunResult result = run(training);

        assertThat(FailsBehindACheckpoint.RESTORED).hasSize(1);
        assertThat(Quadratic.failuresLeft(training.runId())).isZero();
        assertThat(LocalExchange.count()).isZero();
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
        Quadratic.failures("none", 0);
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
