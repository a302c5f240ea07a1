package dev.levee.operators.rounds.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.operators.rounds.participant.WorkerState;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Map;

class RecordFormatTest {
    private static final WorkerState STATE =
            new WorkerState(
                    3,
                    40,
                    Map.of("momentum", new float[50_000], "b", new float[] {1, 2}),
                    new byte[] {1, 2, 3});

    private static byte[] written(WorkerState state) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Codecs.WORKER.writeState(state, new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static WorkerState read(byte[] bytes, int version) throws IOException {
        return Codecs.WORKER.readState(
                new DataInputStream(new ByteArrayInputStream(bytes)), version);
    }

    @Test
    void stateComesBack() throws IOException {
        WorkerState read = read(written(STATE), 2);
        assertThat(Codecs.WORKER.bytes(read)).isEqualTo(Codecs.WORKER.bytes(STATE));
    }

    @Test
    void damagedStateIsRefusedWithASentence() throws IOException {
        byte[] good = written(STATE);
        for (int at : new int[] {4, 8, 20, 1000, 70_000, good.length - 10}) {
            byte[] bad = good.clone();
            bad[at] ^= 4;
            assertThatThrownBy(() -> read(bad, 2))
                    .isInstanceOf(IOException.class)
                    .hasMessage(
                            "state of kind WORKER is damaged, its checksum is wrong: resume"
                                    + " from another checkpoint");
        }
    }

    @Test
    void anEarlierVersionIsReadByItsMigration() throws IOException {
        RecordFormat<WorkerState> first = new RecordFormat<>("WORKER", 1, Codecs.workers(1));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        first.writeState(STATE, new DataOutputStream(bytes));
        WorkerState read = read(bytes.toByteArray(), 1);
        assertThat(read.consumed()).isEqualTo(40);
        assertThat(read.own()).isEmpty();
    }

    @Test
    void aVersionThatNobodyReadsIsRefusedWithASentence() throws IOException {
        byte[] bytes = written(STATE);
        assertThatThrownBy(() -> read(bytes, 0))
                .hasMessage(
                        "version 0 of WORKER was written by an earlier Levee, whose state this"
                                + " version cannot read: finish the run with that version, or"
                                + " start over");
        assertThatThrownBy(() -> read(bytes, 3))
                .hasMessage(
                        "version 3 of WORKER was written by a later Levee, and this one reads up"
                                + " to version 2: continue with the later Levee");
    }
}
