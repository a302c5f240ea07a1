package dev.levee.operators.flink.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Rules;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

class RecorderOperatorTest {
    private static final String DATA = "strokes:?train=600&test=200&seed=1";

    private static OneInputStreamOperatorTestHarness<RunEvent, float[]> harness() throws Exception {
        Dataset data = Datasets.open(DATA, Datasets.Split.TRAIN);
        Model model = Models.open("logistic", data.shape(), data.classes());
        Training training =
                new TrainingBuilder("testrun1", DATA, model, Rules.parse("average"), 3, 0).build();
        LoopJob job = LoopJob.of(training, null, 128);
        return new OneInputStreamOperatorTestHarness<>(
                new OperatorFactory<RunEvent, Void, float[]>(
                        RecorderOperator.class,
                        parameters -> new RecorderOperator(parameters, job, null)));
    }

    private static StreamRecord<RunEvent> round(long round) {
        return new StreamRecord<>(
                new RunEvent.RoundDone(
                        0,
                        new RoundReport(
                                round,
                                round,
                                0.1,
                                new double[6],
                                0.5,
                                0.1,
                                16,
                                new int[10],
                                new int[10],
                                new int[0])));
    }

    @Test
    void aCheckpointDoesNotGrowWithTheRounds() throws Exception {
        try (var recorder = harness()) {
            recorder.open();
            long most = 0;
            for (int round = 0; round < 40_000; round++) {
                recorder.processElement(round(round));
                if (round % 2500 == 2499) {
                    most = Math.max(most, recorder.snapshot(round, 0).getStateSize());
                }
            }
            // 10,000 reports of ten workers, 210 bytes each; those of 7500 rounds had been 5.6 MB.
            assertThat(most).isBetween(1L << 20, 5L << 19);
        }
    }

    @Test
    void theHistoryOutlivesARestore() throws Exception {
        OperatorSubtaskState state;
        try (var recorder = harness()) {
            recorder.open();
            for (int round = 0; round < 3; round++) {
                recorder.processElement(round(round));
            }
            state = recorder.snapshot(1, 0);
        }
        try (var recorder = harness()) {
            recorder.initializeState(state);
            recorder.open();
            long before = recorder.snapshot(2, 0).getStateSize();
            assertThat(before).isEqualTo(state.getStateSize());
        }
    }
}
