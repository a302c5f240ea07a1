package dev.levee.operators.flink.internal.codec;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.runtime.execution.SuppressRestartsException;

import java.io.IOException;

/**
 * The snapshot of a serializer in a savepoint: the kind of record and the version of its format.
 */
public final class RecordSerializerSnapshot<T> implements TypeSerializerSnapshot<T> {
    /** Version of this snapshot; since version 3, each kind has its own version. */
    private static final int VERSION = 3;

    private RecordKind kind;
    private int version;

    /** Called by Flink, which then reads the snapshot's fields. */
    public RecordSerializerSnapshot() {}

    RecordSerializerSnapshot(RecordKind kind) {
        this(kind, kind.format().version());
    }

    /** Creates the snapshot of a serializer that writes a version of the format. */
    RecordSerializerSnapshot(RecordKind kind, int version) {
        this.kind = kind;
        this.version = version;
    }

    @Override
    public int getCurrentVersion() {
        return VERSION;
    }

    @Override
    public void writeSnapshot(DataOutputView out) throws IOException {
        out.writeUTF(kind.format().name());
        out.writeInt(version);
    }

    /**
     * Reads a snapshot that {@link #writeSnapshot} wrote.
     *
     * @throws SuppressRestartsException if this version of Levee cannot read the state, so a
     *     restart would not help; the cause gives the reason in one sentence
     */
    @Override
    public void readSnapshot(int written, DataInputView in, ClassLoader classLoader)
            throws IOException {
        if (written < VERSION) {
            throw unreadable(
                    "this savepoint was written by an earlier Levee, whose state this version"
                            + " cannot read: finish the run with that version, or start over");
        }
        String name = in.readUTF();
        version = in.readInt();
        kind = RecordKind.named(name);
        if (written > VERSION || kind == null) {
            throw unreadable(
                    "this savepoint has state "
                            + name
                            + " of a later Levee, which this version cannot read: continue with"
                            + " the later Levee");
        }
        if (!kind.format().reads(version)) {
            throw unreadable("this savepoint cannot be read: " + kind.format().unreadable(version));
        }
    }

    private static SuppressRestartsException unreadable(String sentence) {
        return new SuppressRestartsException(new IllegalStateException(sentence));
    }

    @Override
    public TypeSerializer<T> restoreSerializer() {
        return new RecordSerializer<>(kind, version);
    }

    @Override
    public TypeSerializerSchemaCompatibility<T> resolveSchemaCompatibility(
            TypeSerializerSnapshot<T> old) {
        if (!(old instanceof RecordSerializerSnapshot<T> other) || other.kind != kind) {
            return TypeSerializerSchemaCompatibility.incompatible();
        }
        return other.version == version
                ? TypeSerializerSchemaCompatibility.compatibleAsIs()
                : TypeSerializerSchemaCompatibility.compatibleAfterMigration();
    }
}
