package dev.levee.operators.flink.internal.codec;

import dev.levee.operators.flink.internal.loop.LocalExchange;

import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;
import java.util.Objects;

/**
 * Serializer of one edge: a record whose readers are all in this process is passed as a handle; any
 * other record is serialized in its format, without checksums. Do not use it for state.
 */
final class ReferenceSerializer<T> extends RecordSerializer<T> {
    private static final long serialVersionUID = 1L;

    private final Destination<T> destination;

    ReferenceSerializer(RecordKind kind, Destination<T> destination) {
        super(kind);
        this.destination = destination;
    }

    @Override
    public void serialize(T record, DataOutputView target) throws IOException {
        LocalExchange exchange = LocalExchange.of(destination.run());
        int readers = exchange == null ? 0 : destination.readers(exchange, record);
        target.writeBoolean(readers > 0);
        if (readers > 0) {
            target.writeLong(exchange.id());
            target.writeLong(exchange.put(record, readers));
        } else {
            kind().<T>format().write(record, target);
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public T deserialize(DataInputView source) throws IOException {
        return source.readBoolean()
                ? (T) LocalExchange.take(source.readLong(), source.readLong())
                : kind().<T>format().read(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        boolean handle = source.readBoolean();
        target.writeBoolean(handle);
        if (handle) {
            target.write(source, 2 * Long.BYTES);
        } else {
            kind().<T>format().write(kind().<T>format().read(source), target);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ReferenceSerializer<?> serializer
                && super.equals(other)
                && serializer.destination.equals(destination);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind(), destination);
    }

    @Override
    public TypeSerializerSnapshot<T> snapshotConfiguration() {
        throw new UnsupportedOperationException("records in state are not kept by reference");
    }
}
