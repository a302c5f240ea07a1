package dev.levee.operators.flink.internal.runtime;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.flink.internal.runtime.operator.OperatorFactory;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.scoring.Scoring;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.training.Work;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

import java.util.Map;

/** A computation that fails during a run fails the job; after the final model, nobody needs it. */
class LateFailureTest {
    private static final Training TRAINING =
            new TrainingBuilder(
                            "late",
                            Datasets.inline(new float[][] {{0}, {0}}, new int[] {0, 1}, 2),
                            Models.open("logistic", new int[] {1}, 2),
                            Rules.parse("zeno"),
                            1,
                            0)
                    .build();
    private static final LoopJob JOB = LoopJob.of(TRAINING, new InProcess(2), 128);
    private static final RuntimeException CAUSE = new IllegalStateException("no device");

    /** Handles what other threads have sent to an operator. */
    private static void handle(AbstractStreamOperatorTestHarness<?> harness) throws Exception {
        while (harness.getTaskMailbox().hasMail()) {
            harness.getTaskMailbox().take(0).run();
        }
    }

    @Test
    void aWorkerThatFailsAfterTheFinalModelFailsNothing() throws Exception {
        Work.Task task =
                new Work.Task(
                        0,
                        0,
                        1,
                        TRAINING.settings(0, 1),
                        new float[JOB.slices().dimension()],
                        0,
                        0,
                        Map.of(),
                        Work.NOTHING,
                        0);
        try (var harness =
                new KeyedOneInputStreamOperatorTestHarness<Integer, LoopMessage, GradientBlock>(
                        new OperatorFactory<LoopMessage, Void, GradientBlock>(
                                WorkersOperator.class,
                                parameters -> new WorkersOperator(parameters, JOB)),
                        message -> 0,
                        Types.INT)) {
            harness.open();
            WorkersOperator workers = (WorkersOperator) harness.getOperator();
            workers.failed(task, CAUSE);
            assertThatThrownBy(() -> handle(harness)).hasRootCause(CAUSE);
            harness.endInput();
            workers.failed(task, CAUSE);
            assertThatCode(() -> handle(harness)).doesNotThrowAnyException();
        }
    }

    @Test
    void aScoreThatFailsAfterTheFinalModelFailsNothing() throws Exception {
        Scoring.Task task = new Scoring.Task(0, 0, 1, 0.1, 1, new float[0], new float[0]);
        try (var harness =
                new AbstractStreamOperatorTestHarness<ShardReport>(
                        new OperatorFactory<LoopMessage, GradientBlock, ShardReport>(
                                OracleOperator.class,
                                parameters -> new OracleOperator(parameters, JOB)),
                        1,
                        1,
                        0)) {
            harness.open();
            OracleOperator oracle = (OracleOperator) harness.getOperator();
            oracle.failed(task, CAUSE);
            assertThatThrownBy(() -> handle(harness)).hasRootCause(CAUSE);
            oracle.endInput(1);
            oracle.failed(task, CAUSE);
            assertThatCode(() -> handle(harness)).doesNotThrowAnyException();
        }
    }
}
