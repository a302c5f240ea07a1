package dev.levee.operators.rounds.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.LookResult;
import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.coordinator.CoordinatorState;
import dev.levee.operators.rounds.coordinator.OpenRound;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RoundReportBuilder;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

class CoordinatorStateCodecTest {
    /** How many took part in a round, and f: where the end of its report begins. */
    private static final int TOLERANCE = 2 * Integer.BYTES;

    /** Whether it counted progress, behind that. */
    private static final int PROGRESS = 1;

    /**
     * Versions that its rows answer, none, and whether it waited for more; then come the blocks.
     */
    private static final int BASES = Integer.BYTES + 1;

    private static final int BLOCKS = Integer.BYTES;

    /** A number of blocks, the numbers of a plan that has none, and when a round was decided. */
    private static final int SPREAD = Integer.BYTES;

    private static final int BEHIND_SPREAD = Integer.BYTES + Long.BYTES;

    /** That there is no last round of workers, from version 4 on. */
    private static final int NO_STEP = 1;

    /** That servers have told nothing, from version 5 on. */
    private static final int NOTHING_TOLD = Integer.BYTES;

    private static final int SINCE_THREE = NO_STEP + NOTHING_TOLD;

    /** That nobody keeps a log, behind the spread, from version 6 on. */
    private static final int NO_EVIDENCE = 1;

    /** That the server of a secure sum has heard nothing, from version 7 on. */
    private static final int NOTHING_HEARD = Integer.BYTES;

    private static CoordinatorState applying(SortedMap<Integer, LookResult> spread) {
        return applying(spread, null);
    }

    private static CoordinatorState applying(
            SortedMap<Integer, LookResult> spread, CoordinatorState.Evidence evidence) {
        Training training =
                new TrainingBuilder(
                                "run",
                                "strokes:",
                                Models.open("logistic", new int[] {1, 28, 28}, 10),
                                Rules.parse("median"),
                                3,
                                1)
                        .build();
        Slices slices = Slices.of(training.model().layout());
        CoordinatorState first = CoordinatorState.initial(training, slices, 0);
        int[] ids = {0, 1, 2};
        RoundReport report =
                new RoundReportBuilder(4).decidedAt(5).batch(8).rows(ids).selected(ids).build();
        return new CoordinatorState(
                first.round(),
                first.settings(),
                first.open(),
                null,
                null,
                ids,
                first.ruleState(),
                first.ledger(),
                new CoordinatorState.Applying(report, new BitSet(), spread, evidence),
                first.plan(),
                6,
                null,
                new long[0]);
    }

    @Test
    void howFarServersWereApartComesBack() {
        SortedMap<Integer, LookResult> spread = new TreeMap<>();
        spread.put(0, new LookResult(2, new double[] {2.25}, new double[0]));
        spread.put(3, new LookResult(2, new double[] {4}, new double[0]));
        byte[] bytes = Codecs.COORDINATOR.bytes(applying(spread));
        CoordinatorState read = Codecs.COORDINATOR.of(bytes);
        assertThat(read.applying().spread().keySet()).containsExactly(0, 3);
        assertThat(read.applying().spread().get(3).squaredDistance(0, 1)).isEqualTo(4);
        assertThat(Codecs.COORDINATOR.bytes(read)).isEqualTo(bytes);
    }

    @Test
    void aDeadlineThatHasPassedComesBack() {
        CoordinatorState state = applying(new TreeMap<>());
        for (boolean overtime : new boolean[] {false, true}) {
            OpenRound.State open = state.open();
            CoordinatorState late =
                    new CoordinatorState(
                            state.round(),
                            state.settings(),
                            new OpenRound.State(
                                    open.arrivals(),
                                    open.faults(),
                                    true,
                                    overtime,
                                    open.admitted(),
                                    open.pending(),
                                    List.of()),
                            null,
                            null,
                            state.lastRows(),
                            state.ruleState(),
                            state.ledger(),
                            null,
                            state.plan(),
                            state.decidedAt(),
                            null,
                            new long[0]);
            CoordinatorState read = Codecs.COORDINATOR.of(Codecs.COORDINATOR.bytes(late));
            assertThat(read.open().timedOut()).isTrue();
            assertThat(read.open().overtime()).isEqualTo(overtime);
        }
    }

    @Test
    void inVersionOneNobodySaidItNorWhatARoundCountedAs() throws IOException {
        byte[] bytes = Codecs.COORDINATOR.bytes(applying(new TreeMap<>()));
        byte[] fifth = fifth(bytes);
        int spread = fifth.length - SINCE_THREE - BEHIND_SPREAD - SPREAD;
        int progress = spread - BLOCKS - BASES - PROGRESS;
        ByteArrayOutputStream first = new ByteArrayOutputStream();
        first.write(fifth, 0, progress - TOLERANCE);
        first.write(fifth, progress + PROGRESS + BASES, BLOCKS);
        first.write(fifth, spread + SPREAD, BEHIND_SPREAD);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(first.toByteArray()));
        CoordinatorState read = Codecs.COORDINATOR.read(in, 1);
        assertThat(in.available()).isZero();
        assertThat(Codecs.COORDINATOR.bytes(read)).isEqualTo(bytes);
    }

    @Test
    void inVersionTwoNobodySaidWhoTookPartNorWhatRowsAnswer() throws IOException {
        byte[] bytes = Codecs.COORDINATOR.bytes(applying(new TreeMap<>()));
        int behind = BLOCKS + SPREAD + BEHIND_SPREAD;
        byte[] fifth = fifth(bytes);
        int progress = fifth.length - SINCE_THREE - behind - BASES - PROGRESS;
        ByteArrayOutputStream second = new ByteArrayOutputStream();
        second.write(fifth, 0, progress - TOLERANCE);
        second.write(fifth, progress, PROGRESS);
        second.write(fifth, fifth.length - SINCE_THREE - behind, behind);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(second.toByteArray()));
        CoordinatorState read = Codecs.COORDINATOR.read(in, 2);
        assertThat(in.available()).isZero();
        assertThat(read.applying().report().workers()).isEqualTo(-1);
        assertThat(Codecs.COORDINATOR.bytes(read)).isEqualTo(bytes);
    }

    @Test
    void inVersionThreeTheLastRoundOfWorkersWasForgotten() throws IOException {
        byte[] bytes = Codecs.COORDINATOR.bytes(applying(new TreeMap<>()));
        byte[] fifth = fifth(bytes);
        DataInputStream in =
                new DataInputStream(new ByteArrayInputStream(fifth, 0, fifth.length - SINCE_THREE));
        CoordinatorState read = Codecs.COORDINATOR.read(in, 3);
        assertThat(in.available()).isZero();
        assertThat(Codecs.COORDINATOR.bytes(read)).isEqualTo(bytes);
    }

    @Test
    void theLastRoundOfWorkersAndWhatServersHaveToldComeBack() {
        CoordinatorState state = applying(new TreeMap<>());
        CoordinatorState exchanging =
                new CoordinatorState(
                        state.round(),
                        state.settings(),
                        state.open(),
                        null,
                        null,
                        state.lastRows(),
                        state.ruleState(),
                        state.ledger(),
                        null,
                        state.plan(),
                        state.decidedAt(),
                        state.applying().report(),
                        new long[] {3, -1, 1});
        CoordinatorState read = Codecs.COORDINATOR.of(Codecs.COORDINATOR.bytes(exchanging));
        assertThat(read.step().round()).isEqualTo(4);
        assertThat(read.step().rows()).containsExactly(0, 1, 2);
        assertThat(read.lastTold()).containsExactly(3, -1, 1);
    }

    @Test
    void inVersionFourEveryServerWaitedForAllOthers() throws IOException {
        byte[] bytes = Codecs.COORDINATOR.bytes(applying(new TreeMap<>()));
        byte[] fifth = fifth(bytes);
        DataInputStream in =
                new DataInputStream(
                        new ByteArrayInputStream(fifth, 0, fifth.length - NOTHING_TOLD));
        CoordinatorState read = Codecs.COORDINATOR.read(in, 4);
        assertThat(in.available()).isZero();
        assertThat(Codecs.COORDINATOR.bytes(read)).isEqualTo(bytes);
    }

    @Test
    void inVersionFiveNobodyKeptALog() throws IOException {
        byte[] bytes = Codecs.COORDINATOR.bytes(applying(new TreeMap<>()));
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(fifth(bytes)));
        CoordinatorState read = Codecs.COORDINATOR.read(in, 5);
        assertThat(in.available()).isZero();
        assertThat(Codecs.COORDINATOR.bytes(read)).isEqualTo(bytes);
    }

    @Test
    void whatALogKeepsComesBack() {
        SortedMap<Integer, byte[]> digests = new TreeMap<>();
        digests.put(1, new byte[] {4, 5});
        CoordinatorState state =
                applying(
                        new TreeMap<>(),
                        new CoordinatorState.Evidence(
                                new int[] {0, 2},
                                new double[] {0.5, 1.5},
                                new double[] {3, 3},
                                digests));
        byte[] bytes = Codecs.COORDINATOR.bytes(state);
        CoordinatorState.Evidence read = Codecs.COORDINATOR.of(bytes).applying().evidence();
        assertThat(read.asked()).containsExactly(0, 2);
        assertThat(read.losses()).containsExactly(0.5, 1.5);
        assertThat(read.distances()).containsExactly(3, 3);
        assertThat(read.digests().get(1)).containsExactly(4, 5);
    }

    @Test
    void inVersionSixNobodyHeardDevices() throws IOException {
        byte[] bytes = Codecs.COORDINATOR.bytes(applying(new TreeMap<>()));
        DataInputStream in =
                new DataInputStream(
                        new ByteArrayInputStream(bytes, 0, bytes.length - NOTHING_HEARD));
        CoordinatorState read = Codecs.COORDINATOR.read(in, 6);
        assertThat(in.available()).isZero();
        assertThat(Codecs.COORDINATOR.bytes(read)).isEqualTo(bytes);
    }

    @Test
    void whatASecureSumHasHeardComesBack() {
        List<SumMessage> heard =
                List.of(
                        new SumMessage.Left(3),
                        new SumMessage.Keys(1, new byte[32], new byte[32]),
                        new SumMessage.StepEnded());
        CoordinatorState state = applying(new TreeMap<>()).hearing(heard);
        byte[] bytes = Codecs.COORDINATOR.bytes(state);
        CoordinatorState read = Codecs.COORDINATOR.of(bytes);
        assertThat(read.open().heard()).hasSize(3).first().isEqualTo(heard.get(0));
        assertThat(Codecs.COORDINATOR.bytes(read)).isEqualTo(bytes);
    }

    /** As version 5 wrote it. */
    private static byte[] fifth(byte[] bytes) {
        int length = bytes.length - NOTHING_HEARD;
        int evidence = length - SINCE_THREE - BEHIND_SPREAD - NO_EVIDENCE;
        ByteArrayOutputStream fifth = new ByteArrayOutputStream();
        fifth.write(bytes, 0, evidence);
        fifth.write(bytes, evidence + NO_EVIDENCE, length - evidence - NO_EVIDENCE);
        return fifth.toByteArray();
    }
}
