package dev.levee.operators.flink.internal.codec;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Flink's serializer for the loop's records, which are immutable: a copy is the record itself. */
class RecordSerializer<T> extends TypeSerializer<T> {
    private static final long serialVersionUID = 1L;

    private final RecordKind kind;

    /** Version of the format for reading; writing always uses the newest. */
    private final int read;

    RecordSerializer(RecordKind kind) {
        this(kind, kind.format().version());
    }

    RecordSerializer(RecordKind kind, int read) {
        this.kind = kind;
        this.read = read;
    }

    RecordKind kind() {
        return kind;
    }

    @Override
    public boolean isImmutableType() {
        return true;
    }

    @Override
    public TypeSerializer<T> duplicate() {
        return this;
    }

    @Override
    public T createInstance() {
        return null;
    }

    @Override
    public T copy(T from) {
        return from;
    }

    @Override
    public T copy(T from, T reuse) {
        return from;
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public void serialize(T record, DataOutputView target) throws IOException {
        kind.<T>format().writeState(record, target);
    }

    @Override
    public T deserialize(DataInputView source) throws IOException {
        return kind.<T>format().readState(source, read);
    }

    @Override
    public T deserialize(T reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        serialize(deserialize(source), target);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RecordSerializer<?> serializer
                && serializer.getClass() == getClass()
                && serializer.kind == kind
                && serializer.read == read;
    }

    @Override
    public int hashCode() {
        return kind.hashCode();
    }

    @Override
    public TypeSerializerSnapshot<T> snapshotConfiguration() {
        return new RecordSerializerSnapshot<>(kind);
    }
}
