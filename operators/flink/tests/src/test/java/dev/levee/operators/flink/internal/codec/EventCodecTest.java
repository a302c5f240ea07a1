package dev.levee.operators.flink.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.learners.Learner.GpuMemory;
import dev.levee.learners.Score;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.fault.CodeFault;
import dev.levee.operators.rounds.report.EvaluationReport;
import dev.levee.operators.rounds.report.ExchangeReport;
import dev.levee.operators.rounds.report.RoundTrace;
import dev.levee.operators.rounds.report.Takeover;
import dev.levee.operators.rounds.report.TransferCounts;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RoundReportBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Whoever changes what is written must give the format another version, and read this one. */
class EventCodecTest {
    private static final RoundReport ROUND =
            new RoundReportBuilder(7)
                    .decidedAt(1000)
                    .seconds(0.5)
                    .phases(0.25)
                    .loss(2)
                    .rate(0.125)
                    .rows(0, 1, 2)
                    .selected(1)
                    .faults(3)
                    .among(4, 1)
                    .progress(new Planner.Progress(7, 1.5, 256, 3))
                    .bases(7, 5, 7)
                    .overtime()
                    .build();
    private static final String PLAIN_ROUND_BYTES =
            "0000000000000007"
                    + "00000000000003e8" // round, decided at
                    + "3fe0000000000000"
                    + "00000001"
                    + "3fd0000000000000" // seconds, by phase
                    + "4000000000000000"
                    + "3fc0000000000000"
                    + "00000010" // loss, rate, batch
                    + "00000003"
                    + "00000000"
                    + "00000001"
                    + "00000002" // rows
                    + "00000001"
                    + "00000001" // selected
                    + "00000001"
                    + "00000003"; // faults
    private static final String PROGRESS_BYTES =
            "01" // it counts progress
                    + "401c000000000000"
                    + "3ff8000000000000"
                    + "4070000000000000"
                    + "4008000000000000";
    private static final String COUNTING_ROUND_BYTES = PLAIN_ROUND_BYTES + PROGRESS_BYTES;
    private static final String ROUND_BYTES =
            PLAIN_ROUND_BYTES
                    + "00000004"
                    + "00000001" // workers, f
                    + PROGRESS_BYTES
                    + "00000003"
                    + "0000000000000007"
                    + "0000000000000005"
                    + "0000000000000007" // versions that rows answer
                    + "01"; // it waited for more than its deadline

    /** Nobody says how many workers, nor what f was. */
    private static final String UNKNOWN = "ffffffff" + "ffffffff";

    /** Rows that answer their round's version, in time. */
    private static final String NOT_SAID = "00000000" + "00";

    private static final EvaluationReport EVALUATION = new EvaluationReport(8, 2000, 0.5, 0.75);
    private static final String EVALUATION_BYTES =
            "0000000000000008"
                    + "00000000000007d0"
                    + "3fe0000000000000"
                    + "01" // one score, accuracy
                    + "0008"
                    + "6163637572616379"
                    + "3fe8000000000000";
    private static final String EARLIER_EVALUATION_BYTES =
            "0000000000000008" + "00000000000007d0" + "3fe0000000000000" + "3fe8000000000000";

    private static final String NO_EXCHANGES = "00000000";
    private static final String NO_TAKEOVERS = "00000000";
    private static final String NO_CODE_FAULTS = "00000000";
    private static final String NO_LOCAL_SCORES = "00000000";

    private static final CodeFault FAULT =
            new CodeFault(17, "k", "m", "t", new TreeMap<>(Map.of(3, 1L, 5, 2L)));

    private enum Golden {
        ROUND_DONE(new RunEvent.RoundDone(1, ROUND), "00", ROUND_BYTES),
        HISTORY(
                new RunEvent.History(
                        1,
                        2,
                        List.of(new RunEvent.Stretch(ROUND, 2)),
                        List.of(EVALUATION),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of()),
                "01",
                "0000000000000002"
                        + "00000001"
                        + ROUND_BYTES
                        + "0000000000000002"
                        + "00000001"
                        + EVALUATION_BYTES
                        + NO_EXCHANGES
                        + NO_TAKEOVERS
                        + NO_CODE_FAULTS
                        + NO_LOCAL_SCORES),
        EVALUATED(new RunEvent.Evaluated(1, EVALUATION), "02", EVALUATION_BYTES),
        FINAL_BLOCK(
                new RunEvent.FinalBlock(
                        new ModelBlock(
                                Header.model(5, 9, new ShardId(1, 0)),
                                new Settings(Cohort.first(3), 1, 3, 16, 0, true, true, 48),
                                new float[] {1, -2})),
                "03",
                "01" // a model, of run 5 and version 9
                        + "0000000000000005"
                        + "0000000000000009"
                        + "00000000"
                        + "00000001"
                        + "ffffffff"
                        + "00000000"
                        + "0000000000000009"
                        + "00000000"
                        + "4e000000" // settings, little-endian
                        + "0100"
                        + "04000000"
                        + "03000000"
                        + "0300"
                        + "04000000"
                        + "01000000"
                        + "0400"
                        + "04000000"
                        + "03000000"
                        + "0500"
                        + "04000000"
                        + "10000000"
                        + "0600"
                        + "08000000"
                        + "0000000000000000"
                        + "0700"
                        + "04000000"
                        + "03000000"
                        + "0800"
                        + "08000000"
                        + "3000000000000000"
                        + "00000002"
                        + "0000803f"
                        + "000000c0"),
        COUNTED(
                new RunEvent.Counted(1, List.of(new WorkerCounts(0, 5, 4, new long[] {0, 6}))),
                "04",
                "00000001"
                        + "00000000"
                        + "0000000000000005"
                        + "0000000000000004" // one worker
                        + "01"
                        + "01"
                        + "0000000000000006"),
        EXCHANGED(
                new RunEvent.Exchanged(
                        1, new ExchangeReport(7, new int[] {0, 2}, new double[] {0, 1.5})),
                "05",
                "0000000000000007"
                        + "00000002"
                        + "00000000"
                        + "0000000000000000"
                        + "00000002"
                        + "3ff8000000000000"),
        TAKEN_OVER(
                new RunEvent.TakenOver(new Takeover(2, 200, 0, 1, 11, 3, 2_000_000)),
                "06",
                "00000002"
                        + "00000000000000c8"
                        + "00000000"
                        + "00000001"
                        + "0000000b"
                        + "00000003"
                        + "00000000001e8480"),
        RAISED(
                new RunEvent.Raised(1, FAULT),
                "07",
                "0000000000000011"
                        + "0001"
                        + "6b"
                        + "0001"
                        + "6d"
                        + "0001"
                        + "74"
                        + "00000002" // two workers
                        + "00000003"
                        + "0000000000000001"
                        + "00000005"
                        + "0000000000000002"),
        TRANSFERRED(
                new RunEvent.Transferred(1, new TransferCounts(9, 4, 2)),
                "09",
                "0000000000000009" + "0000000000000004" + "0000000000000002"),
        ON_GPUS(
                new RunEvent.OnGpus(1, List.of(new GpuMemory("h", 1, "n", 9, 4711, 5, 7))),
                "0c",
                "00000001" // one process
                        + "0001"
                        + "68"
                        + "00000001"
                        + "0001"
                        + "6e"
                        + "0000000000000009"
                        + "0000000000001267"
                        + "0000000000000005"
                        + "0000000000000007");

        private final RunEvent event;
        private final String kind;
        private final String content;

        Golden(RunEvent event, String kind, String content) {
            this.event = event;
            this.kind = kind;
            this.content = content;
        }

        private String sixthContent() {
            return without(content, NO_LOCAL_SCORES);
        }

        private String fifthContent() {
            return without(sixthContent(), NO_CODE_FAULTS);
        }

        private String fourthContent() {
            return without(fifthContent(), NO_TAKEOVERS).replace(ROUND_BYTES, COUNTING_ROUND_BYTES);
        }

        private String thirdContent() {
            return without(fourthContent(), NO_EXCHANGES)
                    .replace(COUNTING_ROUND_BYTES, PLAIN_ROUND_BYTES);
        }

        private String without(String all, String end) {
            return this == HISTORY ? all.substring(0, all.length() - end.length()) : all;
        }

        private String earlierContent() {
            return thirdContent().replace(EVALUATION_BYTES, EARLIER_EVALUATION_BYTES);
        }
    }

    private static RunEvent read(String hex, int version) throws IOException {
        byte[] bytes = HexFormat.of().parseHex(hex);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        RunEvent event = EventCodec.FORMAT.read(in, version);
        assertThat(in.available()).isZero();
        return event;
    }

    @ParameterizedTest
    @EnumSource
    void isWrittenInTheseBytes(Golden golden) throws IOException {
        String hex = golden.kind + "00000001" + golden.content;
        assertThat(EventCodec.FORMAT.version()).isEqualTo(7);
        assertThat(HexFormat.of().formatHex(EventCodec.FORMAT.bytes(golden.event))).isEqualTo(hex);
        RunEvent read = read(hex, EventCodec.FORMAT.version());
        assertThat(EventCodec.FORMAT.bytes(read)).isEqualTo(EventCodec.FORMAT.bytes(golden.event));
        assertThat(read.server()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void inVersionOneEventsWereTheFirstServers(Golden golden) throws IOException {
        RunEvent read = read(golden.kind + golden.earlierContent(), 1);
        assertThat(read).isInstanceOf(golden.event.getClass());
        // A block of the final model has always said whose it is, and a replica who is read.
        boolean says = golden == Golden.FINAL_BLOCK || golden == Golden.TAKEN_OVER;
        assertThat(read.server()).isEqualTo(says ? 1 : 0);
    }

    @ParameterizedTest
    @EnumSource
    void inVersionTwoTheOnlyScoreWasTheAccuracy(Golden golden) throws IOException {
        RunEvent read = read(golden.kind + "00000001" + golden.earlierContent(), 2);
        assertIsWithoutProgress(golden, read);
    }

    private static void assertIsWithoutProgress(Golden golden, RunEvent read) {
        String without =
                golden.content.replace(ROUND_BYTES, PLAIN_ROUND_BYTES + UNKNOWN + "00" + NOT_SAID);
        assertThat(HexFormat.of().formatHex(EventCodec.FORMAT.bytes(read)))
                .isEqualTo(golden.kind + "00000001" + without);
    }

    @ParameterizedTest
    @EnumSource
    void inVersionThreeNobodySaidHowFarServersWereApartNorWhatRoundsCountedAs(Golden golden)
            throws IOException {
        RunEvent read = read(golden.kind + "00000001" + golden.thirdContent(), 3);
        assertIsWithoutProgress(golden, read);
    }

    @ParameterizedTest
    @EnumSource
    void inVersionFourNobodySaidWhoTookPartNorWhatRowsAnswer(Golden golden) throws IOException {
        RunEvent read = read(golden.kind + "00000001" + golden.fourthContent(), 4);
        String unknown =
                golden.content.replace(
                        ROUND_BYTES, PLAIN_ROUND_BYTES + UNKNOWN + PROGRESS_BYTES + NOT_SAID);
        assertThat(HexFormat.of().formatHex(EventCodec.FORMAT.bytes(read)))
                .isEqualTo(golden.kind + "00000001" + unknown);
    }

    @ParameterizedTest
    @EnumSource
    void inVersionFiveNobodySaidWhatFailedInParticipantsCode(Golden golden) throws IOException {
        RunEvent read = read(golden.kind + "00000001" + golden.fifthContent(), 5);
        assertThat(EventCodec.FORMAT.bytes(read)).isEqualTo(EventCodec.FORMAT.bytes(golden.event));
    }

    @Test
    void takeoversAndFaultsInCodeOfAHistoryComeBack() {
        RunEvent history =
                new RunEvent.History(
                        1,
                        2,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(new Takeover(2, 200, 0, 1, 11, 3, 2_000_000)),
                        List.of(FAULT),
                        List.of());
        assertThat(EventCodec.FORMAT.of(EventCodec.FORMAT.bytes(history))).isEqualTo(history);
    }

    @Test
    void exchangesOfAHistoryComeBack() {
        ExchangeReport exchange = new ExchangeReport(7, new int[] {0, 2}, new double[] {0, 1.5});
        byte[] bytes =
                EventCodec.FORMAT.bytes(
                        new RunEvent.History(
                                1,
                                2,
                                List.of(),
                                List.of(),
                                List.of(exchange),
                                List.of(),
                                List.of(),
                                List.of()));
        RunEvent.History read = (RunEvent.History) EventCodec.FORMAT.of(bytes);
        assertThat(read.exchanges()).singleElement().usingRecursiveComparison().isEqualTo(exchange);
        assertThat(EventCodec.FORMAT.bytes(read)).isEqualTo(bytes);
    }

    @Test
    void scoresOfOtherTasksComeBack() {
        Map<Score, Double> scores = Map.of(Score.RMSE, 0.75, Score.MAE, 0.5, Score.R2, Double.NaN);
        RunEvent event = new RunEvent.Evaluated(1, new EvaluationReport(8, 2000, 0.5, scores));
        assertThat(EventCodec.FORMAT.of(EventCodec.FORMAT.bytes(event))).isEqualTo(event);
    }

    @Test
    void somethingElseIsRefused() {
        assertThatThrownBy(() -> EventCodec.FORMAT.of(new byte[] {13, 0, 0, 0, 0}))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("unknown event 13");
    }

    @Test
    void whatALogKeepsOfARoundComesBack() {
        RoundTrace trace =
                new RoundTrace(
                        new int[] {0, 2},
                        new double[] {0.5, Double.NaN},
                        new double[] {3, 4},
                        new byte[] {1, 2});
        RunEvent event = new RunEvent.Traced(1, ROUND, trace);
        RunEvent.Traced read =
                (RunEvent.Traced) EventCodec.FORMAT.of(EventCodec.FORMAT.bytes(event));
        assertThat(read.server()).isEqualTo(1);
        assertThat(read.report().rows()).containsExactly(0, 1, 2);
        assertThat(read.trace().asked()).containsExactly(0, 2);
        assertThat(read.trace().losses()).containsExactly(0.5, Double.NaN);
        assertThat(read.trace().distances()).containsExactly(3, 4);
        assertThat(read.trace().model()).containsExactly(1, 2);
    }
}
