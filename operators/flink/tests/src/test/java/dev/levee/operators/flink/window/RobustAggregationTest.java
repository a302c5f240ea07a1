package dev.levee.operators.flink.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Rules;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.windowing.windows.Window;
import org.apache.flink.streaming.runtime.operators.windowing.WindowOperatorBuilder;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class RobustAggregationTest {
    /** A block of a gradient. */
    record Sent(int block, long round, long worker, float[] values) implements WorkerRow {}

    private static KeyedOneInputStreamOperatorTestHarness<Integer, Sent, Aggregate> harness(
            String rule, int f, OperatorSubtaskState state) throws Exception {
        return harness(Quorum.of(3, Duration.ofSeconds(5)), rule, f, state);
    }

    private static KeyedOneInputStreamOperatorTestHarness<Integer, Sent, Aggregate> harness(
            Quorum<Sent> quorum, String rule, int f, OperatorSubtaskState state) throws Exception {
        var harness =
                new KeyedOneInputStreamOperatorTestHarness<Integer, Sent, Aggregate>(
                        new WindowOperatorBuilder<Sent, Integer, RoundWindow>(
                                        Rounds.by(Sent::round),
                                        quorum,
                                        new org.apache.flink.api.common.ExecutionConfig(),
                                        TypeInformation.of(Sent.class),
                                        Sent::block,
                                        Types.INT)
                                .process(Robust.<Sent, Integer, RoundWindow>aggregation(rule, f)),
                        Sent::block,
                        Types.INT);
        harness.setup();
        if (state != null) {
            harness.initializeState(state);
        }
        harness.open();
        return harness;
    }

    private static Sent sent(long round, long worker, float... values) {
        return new Sent(0, round, worker, values);
    }

    @Test
    void closesAtTheQuorumOnceAndReportsLateRows() throws Exception {
        try (var harness = harness("median", 1, null)) {
            harness.setProcessingTime(1000);
            harness.processElement(sent(4, 2, 9f), 0);
            harness.processElement(sent(4, 2, 8f), 0);
            harness.processElement(sent(4, 0, 1f), 0);
            assertThat(harness.extractOutputValues()).isEmpty();
            harness.processElement(sent(4, 1, 2f), 0);
            assertThat(harness.extractOutputValues())
                    .singleElement()
                    .satisfies(
                            a -> {
                                assertThat(a.values()).containsExactly(2f);
                                assertThat(a.rows()).isEqualTo(3);
                                assertThat(a.key()).isEqualTo("0");
                                assertThat(a.round()).isEqualTo(4);
                            });
            harness.processElement(sent(4, 7, 5f), 0);
            harness.setProcessingTime(6000);
            assertThat(harness.extractOutputValues()).hasSize(1);
            assertThat(harness.getSideOutput(Robust.LATE))
                    .singleElement()
                    .satisfies(r -> assertThat(r.getValue().worker()).isEqualTo(7));
            assertThat(harness.numProcessingTimeTimers()).isZero();
            // The closed rounds are all that is left.
            assertThat(harness.numKeyedStateEntries()).isEqualTo(1);
        }
    }

    @Test
    void theQuorumInTheDocsIsEnoughForTheirRule() throws Exception {
        String page =
                Files.readString(
                        Path.of(System.getProperty("levee.home"), "docs", "how-to", "flink.md"));
        Matcher example =
                Pattern.compile(
                                "Quorum\\.of\\((\\d+),.*?aggregation\\(\"(.+?)\", (\\d+)\\)",
                                Pattern.DOTALL)
                        .matcher(page);
        assertThat(example.find()).isTrue();
        int quorum = Integer.parseInt(example.group(1));
        int f = Integer.parseInt(example.group(3));
        try (var harness =
                harness(Quorum.of(quorum, Duration.ofSeconds(5)), example.group(2), f, null)) {
            for (long worker = 0; worker < quorum; worker++) {
                harness.processElement(sent(0, worker, worker), 0);
            }
            assertThat(harness.extractOutputValues())
                    .singleElement()
                    .satisfies(a -> assertThat(a.rows()).isEqualTo(quorum));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT9223372036854775.807S", "PT9223372036854775807S"})
    void aVeryLongTimeoutClosesNoRound(Duration timeout) throws Exception {
        try (var harness = harness(Quorum.of(3, timeout), "median", 1, null)) {
            harness.setProcessingTime(1000);
            harness.processElement(sent(0, 0, 1f), 0);
            harness.processElement(sent(0, 1, 2f), 0);
            harness.setProcessingTime(2000);
            assertThat(harness.getSideOutput(Robust.UNAGGREGATED)).isNullOrEmpty();
            harness.processElement(sent(0, 2, 3f), 0);
            assertThat(harness.extractOutputValues()).hasSize(1);
            assertThat(harness.numProcessingTimeTimers()).isZero();
        }
    }

    @Test
    void tooFewRowsAtTheTimeoutAreNoAggregateAndNoFailure() throws Exception {
        try (var harness = harness("median", 1, null)) {
            harness.setProcessingTime(0);
            harness.processElement(sent(0, 0, 1f), 0);
            harness.setProcessingTime(5000);
            assertThat(harness.extractOutputValues()).isEmpty();
            assertThat(harness.getSideOutput(Robust.UNAGGREGATED))
                    .singleElement()
                    .satisfies(r -> assertThat(r.getValue().reason()).contains("median needs n ≥"));
        }
    }

    /** A Byzantine worker sends rows of rounds that nobody else has reached. */
    @Test
    void asManyWorkersAsMayBeByzantineCloseNoRound() throws Exception {
        try (var harness = harness("median", 1, null)) {
            harness.setProcessingTime(0);
            harness.processElement(sent(4, 7, 9f), 0);
            for (long ahead = 0; ahead < ClosedRounds.KEPT; ahead++) {
                harness.processElement(sent(Long.MAX_VALUE / 2 + ahead, 7, 9f), 0);
            }
            harness.setProcessingTime(5000);
            assertThat(harness.getSideOutput(Robust.UNAGGREGATED)).hasSize(1 + ClosedRounds.KEPT);
            assertThat(harness.numKeyedStateEntries()).isZero();
            for (long worker = 0; worker < 3; worker++) {
                harness.processElement(sent(4, worker, worker), 0);
            }
            assertThat(harness.extractOutputValues())
                    .singleElement()
                    .satisfies(a -> assertThat(a.values()).containsExactly(1f));
            // Two of whom one may be Byzantine close a round.
            harness.processElement(sent(5, 0, 1f), 0);
            harness.processElement(sent(5, 1, 1f), 0);
            harness.setProcessingTime(10_000);
            harness.processElement(sent(5, 2, 1f), 0);
            harness.setProcessingTime(15_000);
            assertThat(harness.extractOutputValues()).hasSize(1);
            assertThat(harness.getSideOutput(Robust.LATE)).hasSize(1);
        }
    }

    @Test
    void nobodyIsTrustedInPlaceOfAWorkerThatIsAbsent() throws Exception {
        try (var harness = harness("monna", 1, null)) {
            harness.setProcessingTime(0);
            harness.processElement(sent(0, 1, 1f), 0);
            harness.processElement(sent(0, 2, 2f), 0);
            harness.processElement(sent(0, 3, 3f), 0);
            harness.setProcessingTime(5000);
            assertThat(harness.extractOutputValues()).isEmpty();
            assertThat(harness.getSideOutput(Robust.UNAGGREGATED))
                    .singleElement()
                    .satisfies(r -> assertThat(r.getValue().reason()).contains("monna trusts w0"));
        }
    }

    @Test
    void aFaultyRowLowersF() throws Exception {
        try (var harness = harness("trimmed-mean", 1, null)) {
            harness.processElement(sent(0, 0, 1f, 4f), 0);
            harness.processElement(sent(0, 1, Float.NaN, 1f), 0);
            harness.processElement(sent(0, 2, 3f, 2f), 0);
            assertThat(harness.extractOutputValues())
                    .singleElement()
                    .satisfies(
                            a -> {
                                assertThat(a.values()).containsExactly(2f, 3f);
                                assertThat(a.byzantine()).isZero();
                                assertThat(a.faults()).isEqualTo(1);
                            });
        }
    }

    @Test
    void aRestoredWindowGoesOnAndKeepsTheRulesState() throws Exception {
        OperatorSubtaskState state;
        float[][] first = {{1f, 0f}, {2f, 0f}, {50f, 1f}};
        float[][] second = {{1f, 1f}, {3f, 0f}, {2f, 2f}};
        try (var harness = harness("centered-clipping", 1, null)) {
            for (int worker = 0; worker < 3; worker++) {
                harness.processElement(sent(0, worker, first[worker]), 0);
            }
            harness.processElement(sent(1, 0, second[0]), 0);
            state = harness.snapshot(1, 1);
        }
        try (var harness = harness("centered-clipping", 1, state)) {
            harness.processElement(sent(1, 1, second[1]), 0);
            harness.processElement(sent(1, 2, second[2]), 0);
            Aggregator whole = new Aggregator(Rules.parse("centered-clipping"), 1, 0);
            whole.aggregate(first);
            assertThat(harness.extractOutputValues())
                    .singleElement()
                    .satisfies(a -> assertThat(a.values()).isEqualTo(whole.aggregate(second)));
        }
    }

    @Test
    void rulesThatNeedScoresAreRefused() {
        assertThatThrownBy(() -> Robust.<Sent, Integer, Window>aggregation("zeno", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("external scores");
    }

    @Test
    void theMemoryOfClosedRoundsIsBounded() {
        long[] closed = null;
        for (long round = 0; round < 1000; round += 2) {
            closed = ClosedRounds.with(closed, round);
        }
        assertThat(closed).hasSize(ClosedRounds.KEPT);
        assertThat(ClosedRounds.contains(closed, 998)).isTrue();
        assertThat(ClosedRounds.contains(closed, 997)).isFalse();
        assertThat(ClosedRounds.contains(closed, 3)).isTrue();
    }
}
