package dev.levee.connectors.kafka.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.RuleState;
import dev.levee.operators.rounds.codec.RecordFormat;
import dev.levee.operators.rounds.coordinator.CoordinatorMemory;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RoundReportBuilder;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;

class VersionStateTest {
    private static final VersionState WHOLE =
            new VersionState(
                    12,
                    new float[][] {{1, Float.NaN}, {-0f, 3}},
                    new float[] {4},
                    new CoordinatorMemory(
                            9,
                            new RuleState(new double[] {0.1, 7}),
                            List.of(
                                    new WorkerCounts(0, 5, 4, new long[] {1, 0, 2}),
                                    new WorkerCounts(-1, 0, 0, new long[] {0, 0, 8})),
                            new RoundReportBuilder(8)
                                    .decidedAt(1000)
                                    .seconds(Double.NaN)
                                    .phases(new double[0])
                                    .loss(0.25)
                                    .rows(0, 1, 2)
                                    .selected(1)
                                    .faults(3)
                                    .among(4, 1)
                                    .bases(8, 6, 7)
                                    .build(),
                            new PlanState(new double[] {2, 11, 640})));

    @Test
    void comesBackAsItWas() {
        VersionState read = VersionState.of(WHOLE.bytes());
        assertThat(read.bytes()).isEqualTo(WHOLE.bytes());
        assertThat(read.submitted()).isEqualTo(12);
        assertThat(read.moments()[1]).containsExactly(-0f, 3);
        assertThat(read.previous()).containsExactly(4);
        assertThat(read.memory().version()).isEqualTo(9);
        assertThat(read.memory().counts().get(1).rejected()).startsWith(0, 0, 8);
        assertThat(read.memory().last().faults()).containsExactly(3);
        assertThat(read.memory().last().bases()).containsExactly(8, 6, 7);
        assertThat(read.memory().last().workers()).isEqualTo(4);
        VersionState plain = new VersionState(3, new float[0][], null, null);
        assertThat(VersionState.of(plain.bytes())).usingRecursiveComparison().isEqualTo(plain);
    }

    /** Whoever changes what is written must give it another version. */
    @Test
    void hasTheseBytes() {
        VersionState small =
                new VersionState(
                        12,
                        new float[][] {{1}},
                        null,
                        new CoordinatorMemory(
                                9,
                                new RuleState(new double[] {0.5}),
                                List.of(new WorkerCounts(-1, 0, 0, new long[] {0, 7})),
                                null));
        assertThat(HexFormat.of().formatHex(small.bytes()))
                .isEqualTo(
                        "06" // version
                                + "00000058"
                                + "a4f34dbe" // a chunk of 88 bytes, its CRC-32C
                                + "000000000000000c" // submitted
                                + "00000001"
                                + "00000001"
                                + "0000803f" // moments
                                + "ffffffff" // no last aggregate
                                + "ffffffff" // no lie was published
                                + "01" // memory
                                + "0000000000000009" // of version 9
                                + "00000001"
                                + "3fe0000000000000" // rule's state
                                + "00000001"
                                + "ffffffff" // counts of worker -1
                                + "0000000000000000"
                                + "0000000000000000" // accepted, selected
                                + "01"
                                + "01"
                                + "0000000000000007" // rejected for one reason
                                + "00" // no round before
                                + "00000000" // nothing that the plan remembers
                                + "00000000"); // end
    }

    @Test
    void inVersionThreeNobodySaidWhatRowsAnswer() throws IOException {
        ByteArrayOutputStream third = new ByteArrayOutputStream();
        third.write(3);
        new RecordFormat<>("VERSION_STATE", 3, VersionState.codec(3))
                .writeState(WHOLE, new DataOutputStream(third));
        RoundReport read = VersionState.of(third.toByteArray()).memory().last();
        assertThat(read.faults()).containsExactly(3);
        assertThat(read.ages()).containsExactly(0, 0, 0);
    }

    @Test
    void inVersionFourNoServerLied() throws IOException {
        ByteArrayOutputStream fourth = new ByteArrayOutputStream();
        fourth.write(4);
        new RecordFormat<>("VERSION_STATE", 4, VersionState.codec(4))
                .writeState(WHOLE, new DataOutputStream(fourth));
        VersionState read = VersionState.of(fourth.toByteArray());
        assertThat(read.own()).isNull();
        assertThat(read.previous()).containsExactly(4);
        assertThat(read.memory().counts()).hasSize(2);
    }

    @Test
    void inVersionFiveNoPlanRememberedAnything() throws IOException {
        ByteArrayOutputStream fifth = new ByteArrayOutputStream();
        fifth.write(5);
        new RecordFormat<>("VERSION_STATE", 5, VersionState.codec(5))
                .writeState(WHOLE, new DataOutputStream(fifth));
        VersionState read = VersionState.of(fifth.toByteArray());
        assertThat(read.memory().plan().values()).isEmpty();
        assertThat(read.memory().last().faults()).containsExactly(3);
    }

    @Test
    void whatALiarReallyHasComesBack() {
        VersionState liar = new VersionState(3, new float[0][], null, new float[] {1, -2}, null);
        assertThat(VersionState.of(liar.bytes()).own()).containsExactly(1, -2);
    }

    @Test
    void anEarlierOneIsRefusedWithASentence() {
        byte[] earlier = WHOLE.bytes();
        earlier[0] = 2;
        assertThatThrownBy(() -> VersionState.of(earlier))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "version 2 of VERSION_STATE was written by an earlier Levee, whose state"
                                + " this version cannot read: finish the run with that version, or"
                                + " start over");
    }

    @Test
    void refusesAnythingElseCleanly() {
        byte[] good = WHOLE.bytes();
        for (int length = 0; length < good.length; length++) {
            byte[] cut = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> VersionState.of(cut))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        byte[] longer = Arrays.copyOf(good, good.length + 1);
        assertThatThrownBy(() -> VersionState.of(longer))
                .isInstanceOf(IllegalArgumentException.class);
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 10_000; i++) {
            byte[] mutated = good.clone();
            mutated[random.nextInt(mutated.length)] ^= (byte) (1 << random.nextInt(8));
            assertThatThrownBy(() -> VersionState.of(mutated))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageMatching("(?i).*state.*");
        }
    }
}
