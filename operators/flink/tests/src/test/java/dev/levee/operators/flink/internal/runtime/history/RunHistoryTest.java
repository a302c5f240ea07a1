package dev.levee.operators.flink.internal.runtime.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.rounds.fault.CodeFault;
import dev.levee.operators.rounds.report.EvaluationReport;
import dev.levee.operators.rounds.report.Takeover;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RoundReportBuilder;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

class RunHistoryTest {
    private static RoundReport round(long round, double loss, int... faults) {
        return new RoundReportBuilder(round)
                .decidedAt(1000 + round)
                .seconds(0.5)
                .phases(0.25, round, 0, 0, 0, 0)
                .loss(loss)
                .rate(1.0 / (round + 1))
                .rows(0, 1, 2)
                .selected((int) round % 3)
                .faults(faults)
                .build();
    }

    private static EvaluationReport evaluation(long version, double accuracy) {
        return new EvaluationReport(version, 2000 + version, 1 - accuracy, accuracy);
    }

    private static List<RoundReport> reports(RunHistory history) {
        return history.snapshot(0).rounds().stream().map(RunEvent.Stretch::report).toList();
    }

    @Test
    void upToTheBoundEveryReportIsKeptAsItCame() {
        RunHistory history = new RunHistory(4);
        history.add(evaluation(0, 0.1));
        for (long round = 0; round < 4; round++) {
            history.add(round(round, 2));
            history.add(evaluation(round + 1, 0.2));
        }
        assertThat(history.snapshot(0).stretch()).isEqualTo(1);
        assertThat(reports(history)).extracting(RoundReport::round).containsExactly(0L, 1L, 2L, 3L);
        assertThat(history.snapshot(0).evaluations())
                .extracting(EvaluationReport::version)
                .containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void whatSeveralProcessesSayOfOneFailOverIsOne() {
        RunHistory history = new RunHistory(4);
        history.add(new Takeover(0, 8, 0, 1, 3, 0, 2_000_000));
        history.add(new Takeover(0, 8, 0, 1, 4, 4, 2_100_000));
        history.add(new Takeover(1, 8, 0, 1, 7, 0, 2_000_000));
        RunHistory restored = new RunHistory(4);
        restored.add(history.snapshot(1));
        assertThat(restored.snapshot(1).takeovers())
                .containsExactly(
                        new Takeover(0, 8, 0, 1, 7, 4, 2_100_000),
                        new Takeover(1, 8, 0, 1, 7, 0, 2_000_000));
    }

    @Test
    void faultsInCodeAreCountedByKindAndWorkerAndTheFirstTracebackIsKept() {
        RunHistory history = new RunHistory(4);
        history.add(fault(7, "first", Map.of(3, 1L)));
        history.add(fault(5, "second", Map.of(3, 1L)));
        RunHistory restored = new RunHistory(4);
        restored.add(history.snapshot(1));
        restored.add(fault(9, "third", Map.of(1, 1L)));
        assertThat(restored.snapshot(1).codeFaults())
                .containsExactly(fault(5, "first", Map.of(1, 1L, 3, 2L)));
        for (int kind = 0; kind < 2 * RunHistory.MOST_KINDS; kind++) {
            restored.add(new CodeFault(9, "kind " + kind, "m", "", new TreeMap<>()));
        }
        assertThat(restored.snapshot(1).codeFaults()).hasSize(RunHistory.MOST_KINDS);
    }

    private static CodeFault fault(long round, String traceback, Map<Integer, Long> workers) {
        return new CodeFault(round, "ValueError", "raised", traceback, new TreeMap<>(workers));
    }

    @Test
    void oneRoundMoreMakesOneReportOfTwo() {
        RunHistory history = new RunHistory(4);
        history.add(round(0, 2));
        history.add(round(1, 4, 7));
        history.add(round(2, Double.NaN, 1, 5));
        history.add(round(3, 1, 3, 5));
        history.add(round(4, 3));

        RunEvent.History past = history.snapshot(0);
        assertThat(past.stretch()).isEqualTo(2);
        assertThat(past.rounds()).extracting(RunEvent.Stretch::rounds).containsExactly(2L, 2L, 1L);
        RoundReport first = past.rounds().get(0).report();
        assertThat(first.round()).isEqualTo(1);
        assertThat(first.decidedAt()).isEqualTo(1001);
        assertThat(first.seconds()).isEqualTo(1);
        assertThat(first.secondsByPhase()).containsExactly(0.5, 1, 0, 0, 0, 0);
        assertThat(first.loss()).isEqualTo(3);
        assertThat(first.learningRate()).isEqualTo(0.5);
        assertThat(first.selected()).containsExactly(1);
        assertThat(first.faults()).containsExactly(7);
        assertThat(past.rounds().get(1).report().loss()).isEqualTo(1);
        assertThat(past.rounds().get(1).report().faults()).containsExactly(1, 3, 5);
        assertThat(past.rounds().get(2).report().round()).isEqualTo(4);
    }

    @Test
    void aLongRunKeepsHalfAsManyReportsAtLeastAndItsTotals() {
        RunHistory history = new RunHistory(100);
        for (long round = 0; round < 12_345; round++) {
            history.add(round(round, round));
            assertThat(history.snapshot(0).rounds()).hasSizeLessThanOrEqualTo(100);
        }
        assertThat(history.snapshot(0).stretch()).isEqualTo(128);
        assertThat(reports(history)).hasSizeGreaterThan(50);
        assertThat(history.snapshot(0).rounds().stream().mapToLong(RunEvent.Stretch::rounds).sum())
                .isEqualTo(12_345);
        assertThat(reports(history).stream().mapToDouble(RoundReport::seconds).sum())
                .isEqualTo(12_345 / 2.0);
        assertThat(reports(history).get(0).loss()).isEqualTo(127 / 2.0);
    }

    @Test
    void ofEvaluationsTheNewestOfEachStretchAndTheBestAreKept() {
        RunHistory history = new RunHistory(4);
        for (long version = 0; version <= 8; version++) {
            history.add(evaluation(version, version == 3 ? 0.9 : 0.1 * version));
            history.add(round(version, 1));
        }
        // Rounds 0 to 8 in stretches of four: version v was made in round v − 1.
        assertThat(history.snapshot(0).stretch()).isEqualTo(4);
        assertThat(history.snapshot(0).evaluations())
                .extracting(EvaluationReport::version)
                .containsExactly(0L, 3L, 4L, 8L);
    }

    @Test
    void whoeverGoesOnFromASnapshotEndsWithTheSameHistory() {
        RunHistory whole = new RunHistory(10);
        RunHistory restored = new RunHistory(10);
        for (long round = 0; round < 321; round++) {
            whole.add(round(round, round));
            whole.add(evaluation(round + 1, 1.0 / (round + 1)));
            RunHistory next = new RunHistory(10);
            next.add(restored.snapshot(0));
            next.add(round(round, round));
            next.add(evaluation(round + 1, 1.0 / (round + 1)));
            restored = next;
        }
        assertThat(restored.snapshot(0)).usingRecursiveComparison().isEqualTo(whole.snapshot(0));
    }

    @Test
    void aRoundThatIsToldAgainCountsOnce() {
        RunHistory history = new RunHistory(4);
        history.add(round(0, 2));
        history.add(round(0, 2));
        assertThat(history.snapshot(0).rounds())
                .extracting(RunEvent.Stretch::rounds)
                .containsExactly(1L);
    }
}
