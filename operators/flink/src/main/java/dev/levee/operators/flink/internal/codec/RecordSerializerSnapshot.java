package dev.levee.operators.flink.internal.codec;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/**
 * What a savepoint says about a serializer: which kind of record, in which version of its format.
 */
public final class RecordSerializerSnapshot<T> implements TypeSerializerSnapshot<T> {
    private static final int VERSION = 2;

    private RecordKind kind;
    private int version = VERSION;

    /** For Flink, which reads the rest. */
    public RecordSerializerSnapshot() {}

    RecordSerializerSnapshot(RecordKind kind) {
        this.kind = kind;
    }

    @Override
    public int getCurrentVersion() {
        return VERSION;
    }

    @Override
    public void writeSnapshot(DataOutputView out) throws IOException {
        out.writeUTF(kind.name());
    }

    @Override
    public void readSnapshot(int version, DataInputView in, ClassLoader classLoader)
            throws IOException {
        this.version = version;
        kind = RecordKind.valueOf(in.readUTF());
    }

    @Override
    public TypeSerializer<T> restoreSerializer() {
        return new RecordSerializer<>(kind);
    }

    @Override
    public TypeSerializerSchemaCompatibility<T> resolveSchemaCompatibility(
            TypeSerializerSnapshot<T> old) {
        return old instanceof RecordSerializerSnapshot<T> other
                        && other.kind == kind
                        && other.version == VERSION
                ? TypeSerializerSchemaCompatibility.compatibleAsIs()
                : TypeSerializerSchemaCompatibility.incompatible();
    }
}
