package dev.levee.operators.rounds.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.adversary.AdversaryState;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

class AdversaryStateCodecTest {
    private static AdversaryState state(long round, AdversaryState later) {
        float[][] honest = {{1, round}, null};
        return new AdversaryState(round, honest, new GradientBlock[2], later);
    }

    private static byte[] written(AdversaryState state) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Codecs.ADVERSARY.write(state, new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static AdversaryState read(byte[] bytes, int length, int version) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, 0, length));
        AdversaryState state = Codecs.ADVERSARY.read(in, version);
        assertThat(in.read()).isEqualTo(-1);
        return state;
    }

    @Test
    void allRoundsThatItLooksAtComeBack() throws IOException {
        byte[] bytes = written(state(3, state(5, state(9, null))));
        AdversaryState read = read(bytes, bytes.length, 2);
        assertThat(read.round()).isEqualTo(3);
        assertThat(read.later().round()).isEqualTo(5);
        assertThat(read.later().later().round()).isEqualTo(9);
        assertThat(read.later().later().honest()[0]).containsExactly(1, 9);
        assertThat(read.later().later().later()).isNull();
    }

    /** Version 1 ended where version 2 says whether there is a later round. */
    @Test
    void stateOfOneRoundIsStillRead() throws IOException {
        byte[] bytes = written(state(3, null));
        AdversaryState read = read(bytes, bytes.length - 1, 1);
        assertThat(read.round()).isEqualTo(3);
        assertThat(read.honest()[0]).containsExactly(1, 3);
        assertThat(read.later()).isNull();
    }
}
