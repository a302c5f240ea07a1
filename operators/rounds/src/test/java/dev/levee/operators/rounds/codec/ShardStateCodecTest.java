package dev.levee.operators.rounds.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Counted;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.ParameterBlock;
import dev.levee.operators.rounds.PulledVersions;
import dev.levee.operators.rounds.Pulls;
import dev.levee.operators.rounds.RowWindow;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardState;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;

class ShardStateCodecTest {
    private static final Pulls PULLS =
            new Pulls(new int[] {2, 70}, new long[] {5, 4}, new long[] {3});
    private static final Settings SETTINGS =
            new Settings(Cohort.of(70), 0, 1, 8, 0.5, false, false, 24, null, PULLS);

    private static ShardState state(List<PulledVersions.Pulled> pulled) {
        return new ShardState(
                4,
                SETTINGS,
                new ParameterBlock(new float[] {1, 2}, new float[0][], null),
                new RowWindow.State(
                        new GradientBlock[1], new BitSet(), new BitSet(), null, List.of()),
                0,
                new Counted(-1, new int[0], new long[0]),
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
                                                3, SETTINGS, new float[] {8, 9}, new int[] {2}))));
        ShardState read = read(bytes, bytes.length, 2);
        assertThat(read.settings()).isEqualTo(SETTINGS);
        assertThat(read.settings().pulls()).isEqualTo(PULLS);
        PulledVersions.Pulled pulled = read.pulled().get(0);
        assertThat(pulled.version()).isEqualTo(3);
        assertThat(pulled.values()).containsExactly(8, 9);
        assertThat(pulled.missing()).containsExactly(2);
    }

    /** Version 1 ended where version 2 says how many versions are pulled. */
    @Test
    void stateOfAVersionThatNobodyPulledIsStillRead() throws IOException {
        byte[] bytes = written(state(List.of()));
        ShardState read = read(bytes, bytes.length - Integer.BYTES, 1);
        assertThat(read.version()).isEqualTo(4);
        assertThat(read.pulled()).isEmpty();
    }
}
