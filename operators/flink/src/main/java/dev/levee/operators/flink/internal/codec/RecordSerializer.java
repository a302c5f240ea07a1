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

    RecordSerializer(RecordKind kind) {
        this.kind = kind;
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
        kind.<T>codec().write(record, target);
    }

    @Override
    public T deserialize(DataInputView source) throws IOException {
        return kind.<T>codec().read(source);
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
                && serializer.kind == kind;
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
