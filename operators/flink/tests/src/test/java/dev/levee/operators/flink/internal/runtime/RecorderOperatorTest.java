package dev.levee.operators.flink.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Rules;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.flink.internal.runtime.operator.OperatorFactory;
import dev.levee.operators.rounds.report.RoundTrace;
import dev.levee.operators.rounds.training.RoundLog;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RoundReportBuilder;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.RunSink;
import dev.levee.operators.rounds.training.ServerResult;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class RecorderOperatorTest {
    private static final String DATA = "strokes:?train=600&test=200&seed=1";

    private static OneInputStreamOperatorTestHarness<RunEvent, float[]> harness() throws Exception {
        return harness(null);
    }

    private static OneInputStreamOperatorTestHarness<RunEvent, float[]> harness(RunSink sink)
            throws Exception {
        Dataset data = Datasets.open(DATA, Datasets.Split.TRAIN);
        Model model = Models.open("logistic", data.shape(), data.classes());
        Training training =
                new TrainingBuilder("testrun1", DATA, model, Rules.parse("average"), 3, 0)
                        .audited(sink != null)
                        .build();
        LoopJob job = LoopJob.of(training, null, 128);
        return new OneInputStreamOperatorTestHarness<>(
                new OperatorFactory<RunEvent, Void, float[]>(
                        RecorderOperator.class,
                        parameters -> new RecorderOperator(parameters, job, sink, false)));
    }

    private static StreamRecord<RunEvent> round(long round) {
        return new StreamRecord<>(
                new RunEvent.RoundDone(
                        0,
                        new RoundReportBuilder(round)
                                .decidedAt(round)
                                .seconds(0.1)
                                .rows(new int[10])
                                .selected(new int[10])
                                .build()));
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

    /** Writes down what a log is told. */
    private record Told(List<String> told) implements RunSink, RoundLog {
        @Override
        public RoundLog log(Training training, byte[] kept) {
            told.add("opened with " + (kept == null ? "nothing" : kept[0]));
            return this;
        }

        @Override
        public byte[] kept() {
            return new byte[] {42};
        }

        @Override
        public void resumed(long[] next) {
            told.add("resumed at " + next[0]);
        }

        @Override
        public void closed(int server, RoundReport report, RoundTrace trace) {
            told.add("round " + report.round());
        }

        @Override
        public void force() {
            told.add("forced");
        }

        @Override
        public void ended(List<ServerResult> servers) {}

        @Override
        public void close() {
            told.add("closed");
        }

        @Override
        public void finished(RunResult result) {}
    }

    @Test
    void aLogGoesOnWhereTheCheckpointWas() throws Exception {
        Told sink = new Told(new ArrayList<>());
        RoundTrace trace = new RoundTrace(new int[0], new double[0], new double[0], new byte[0]);
        OperatorSubtaskState state;
        try (var recorder = harness(sink)) {
            recorder.open();
            for (int round = 0; round < 2; round++) {
                StreamRecord<RunEvent> done = round(round);
                recorder.processElement(done);
                RoundReport report = ((RunEvent.RoundDone) done.getValue()).report();
                recorder.processElement(new StreamRecord<>(new RunEvent.Traced(0, report, trace)));
            }
            state = recorder.snapshot(1, 0);
        }
        try (var recorder = harness(sink)) {
            recorder.initializeState(state);
            recorder.open();
        }
        assertThat(sink.told())
                .containsExactly(
                        "opened with nothing",
                        "resumed at 0",
                        "round 0",
                        "round 1",
                        "forced",
                        "closed",
                        "opened with 42",
                        "resumed at 2",
                        "closed");
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
