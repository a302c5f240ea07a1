package dev.levee.operators.rounds.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.HalfBatches;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Pulls;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.shard.CountedContributions;
import dev.levee.operators.rounds.shard.ParameterBlock;
import dev.levee.operators.rounds.shard.PulledVersions;
import dev.levee.operators.rounds.shard.RowWindow;
import dev.levee.operators.rounds.shard.ShardState;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;

class ShardStateCodecTest {
    private static final Pulls PULLS =
            new Pulls(new int[] {2, 70}, new long[] {5, 4}, new long[] {3});
    private static final Settings SETTINGS =
            new Settings(Cohort.of(70), 0, 1, 8, 0.5, false, false, 24, null, PULLS);

    private static ShardState state(
            List<PulledVersions.Pulled> pulled, GradientBlock... contributions) {
        return new ShardState(
                4,
                SETTINGS,
                new ParameterBlock(new float[] {1, 2}, new float[0][], null),
                new RowWindow.State(contributions, new BitSet(), new BitSet(), null, List.of()),
                0,
                new CountedContributions(-1, new int[0], new long[0]),
                pulled);
    }

    private static byte[] written(ShardState state) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Codecs.SHARD.write(state, new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static ShardState read(byte[] bytes, int length, int version) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, 0, length));
        ShardState state = Codecs.SHARD.read(in, version);
        assertThat(in.read()).isEqualTo(-1);
        return state;
    }

    @Test
    void whatWasPulledComesBack() throws IOException {
        byte[] bytes =
                written(
                        state(
                                List.of(
                                        new PulledVersions.Pulled(
                                                3, SETTINGS, new float[] {8, 9}, new int[] {2})),
                                (GradientBlock) null));
        ShardState read = read(bytes, bytes.length, 5);
        assertThat(read.settings()).isEqualTo(SETTINGS);
        assertThat(read.settings().pulls()).isEqualTo(PULLS);
        PulledVersions.Pulled pulled = read.pulled().get(0);
        assertThat(pulled.version()).isEqualTo(3);
        assertThat(pulled.values()).containsExactly(8, 9);
        assertThat(pulled.missing()).containsExactly(2);
    }

    @Test
    void whatAWorkerThatIsAloneSaysOfItsHalvesComesBack() throws IOException {
        Header header = Header.gradient(7, 4, 70, new ShardId(0, 0));
        GradientBlock gradient = new GradientBlock(header, 0.5, 1, 2, new float[] {3, 4});
        byte[] silent = written(state(List.of(), gradient));
        byte[] bytes = written(state(List.of(), gradient.with(new HalfBatches(0.25, -1))));
        assertThat(row(read(silent, silent.length, 5)).halves()).isNull();
        assertThat(row(read(bytes, bytes.length, 5)).halves()).isEqualTo(new HalfBatches(0.25, -1));
        assertThat(row(read(bytes, bytes.length, 5)).values()).containsExactly(3, 4);
    }

    /**
     * In version 2 a row ended where version 3 says if it has halves, and that where version 4 says
     * if it was added up.
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void rowsFromBeforeAreStillRead(int version) throws IOException {
        Header header = Header.gradient(7, 4, 70, new ShardId(0, 0));
        GradientBlock row = new GradientBlock(header, 0.5, 1, 2, new float[] {3, 4});
        ByteArrayOutputStream before = new ByteArrayOutputStream();
        new GradientCodec(version - 1).write(row, new DataOutputStream(before));
        ByteArrayOutputStream now = new ByteArrayOutputStream();
        GradientCodec.FORMAT.write(row, new DataOutputStream(now));
        String all = HexFormat.of().formatHex(written(state(List.of(), row)));
        String earlier =
                all.replace(
                        HexFormat.of().formatHex(now.toByteArray()),
                        HexFormat.of().formatHex(before.toByteArray()));
        byte[] bytes = HexFormat.of().parseHex(earlier);
        assertThat(earlier.length()).isEqualTo(all.length() - 2 * (4 - version));
        assertThat(row(read(bytes, bytes.length, version)).values()).containsExactly(3, 4);
    }

    private static GradientBlock row(ShardState state) {
        return state.window().contributions()[0];
    }

    /** Version 1 ended where version 2 says how many versions are pulled. */
    @Test
    void stateOfAVersionThatNobodyPulledIsStillRead() throws IOException {
        byte[] bytes = written(state(List.of(), (GradientBlock) null));
        ShardState read = read(bytes, bytes.length - Integer.BYTES, 1);
        assertThat(read.version()).isEqualTo(4);
        assertThat(read.pulled()).isEmpty();
    }
}
