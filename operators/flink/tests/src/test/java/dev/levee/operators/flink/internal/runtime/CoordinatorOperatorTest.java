package dev.levee.operators.flink.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.flink.internal.runtime.operator.OperatorFactory;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/** One worker, whose rounds take much less time than their timeout. */
class CoordinatorOperatorTest {
    private static final Training TRAINING =
            new TrainingBuilder(
                            "timers",
                            Datasets.inline(new float[][] {{0}, {0}}, new int[] {0, 1}, 2),
                            Models.open("logistic", new int[] {1}, 2),
                            Rules.parse("average"),
                            1,
                            0)
                    .rounds(1000)
                    .roundTimeout(Duration.ofSeconds(30))
                    .build();
    private static final LoopJob JOB = LoopJob.of(TRAINING, new InProcess(1), 128);
    private static final ShardId SHARD = new ShardId(0, 0);

    @Test
    void roundsThatEndInTimeLeaveNoTimersBehind() throws Exception {
        try (var harness =
                new KeyedOneInputStreamOperatorTestHarness<Integer, ShardReport, RunEvent>(
                        new OperatorFactory<ShardReport, Void, RunEvent>(
                                CoordinatorOperator.class,
                                parameters -> new CoordinatorOperator(parameters, JOB)),
                        report -> JOB.coordinatorKeys()[0],
                        Types.INT)) {
            harness.setup(
                    RecordKind.EVENT
                            .asType(RunEvent.class)
                            .createSerializer(new SerializerConfigImpl()));
            harness.open();
            var timers = harness.getProcessingTimeService();
            for (long round = 0; round < 100; round++) {
                harness.processElement(
                        new StreamRecord<>(
                                new ShardReport.Arrived(
                                        round, SHARD, 0, round, 1, new double[0], 0, 0, 0, 0)));
                harness.processElement(
                        new StreamRecord<>(new ShardReport.Applied(round, SHARD, 0, 0)));
            }
            assertThat(harness.getOutput()).hasSize(100);
            int set = timers.getNumActiveTimers();
            assertThat(set).isLessThan(5);

            // The timer of an early round gives way to one for the open round.
            harness.setProcessingTime(50_000);
            assertThat(timers.getNumActiveTimers()).isEqualTo(set);
        }
    }
}
