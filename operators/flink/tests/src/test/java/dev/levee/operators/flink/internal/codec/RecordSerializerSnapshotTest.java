package dev.levee.operators.flink.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.junit.jupiter.api.Test;

import java.io.IOException;

/** Savepoints of other versions of Levee are refused with a sentence. */
class RecordSerializerSnapshotTest {
    private static RecordSerializerSnapshot<?> read(int version, String kind, int kindVersion)
            throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        out.writeUTF(kind);
        if (version > 2) {
            out.writeInt(kindVersion);
        }
        RecordSerializerSnapshot<?> snapshot = new RecordSerializerSnapshot<>();
        snapshot.readSnapshot(
                version,
                new DataInputDeserializer(out.getCopyOfBuffer()),
                RecordSerializerSnapshotTest.class.getClassLoader());
        return snapshot;
    }

    @Test
    void savepointsFromBeforeKindsHadVersionsAreRefused() {
        for (int version : new int[] {1, 2}) {
            assertThatThrownBy(() -> read(version, "COORDINATOR", 0))
                    .isInstanceOf(SuppressRestartsException.class)
                    .cause()
                    .hasMessage(
                            "this savepoint was written by an earlier Levee, whose state this"
                                    + " version cannot read: finish the run with that version, or"
                                    + " start over");
        }
    }

    @Test
    void laterSavepointsAreRefused() {
        assertThatThrownBy(() -> read(3, "TELEPATHY", 1))
                .cause()
                .hasMessage(
                        "this savepoint has state TELEPATHY of a later Levee, which this version"
                                + " cannot read: continue with the later Levee");
        assertThatThrownBy(() -> read(3, "SHARD", 99))
                .cause()
                .hasMessageContaining("by a later Levee");
        assertThatThrownBy(() -> read(4, "SHARD", 1))
                .cause()
                .hasMessageContaining("of a later Levee");
    }

    @Test
    void theSameVersionGoesOnAsItIs() throws IOException {
        RecordSerializer<Object> serializer = new RecordSerializer<>(RecordKind.SHARD);
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.snapshotConfiguration().writeSnapshot(out);
        RecordSerializerSnapshot<Object> read = new RecordSerializerSnapshot<>();
        read.readSnapshot(
                read.getCurrentVersion(),
                new DataInputDeserializer(out.getCopyOfBuffer()),
                getClass().getClassLoader());
        assertThat(read.restoreSerializer()).isEqualTo(serializer);
        assertThat(
                        new RecordSerializerSnapshot<>(RecordKind.SHARD)
                                .resolveSchemaCompatibility(read)
                                .isCompatibleAsIs())
                .isTrue();
    }

    @Test
    void kindsAreCalledWhatTheyAre() {
        for (RecordKind kind : RecordKind.values()) {
            assertThat(kind.format().name()).isEqualTo(kind.name());
        }
    }
}
