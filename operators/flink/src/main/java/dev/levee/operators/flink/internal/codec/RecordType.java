package dev.levee.operators.flink.internal.codec;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.util.Objects;

/** Flink's type information of one of the loop's records. */
public final class RecordType<T> extends TypeInformation<T> {
    private static final long serialVersionUID = 1L;

    private final RecordKind kind;
    private final Destination<T> destination;

    RecordType(RecordKind kind) {
        this(kind, null);
    }

    private RecordType(RecordKind kind, Destination<T> destination) {
        this.kind = kind;
        this.destination = destination;
    }

    /**
     * The type of records on an edge; they are passed by reference if both ends share a process.
     */
    public RecordType<T> to(Destination<T> other) {
        return new RecordType<>(kind, other);
    }

    @Override
    public TypeSerializer<T> createSerializer(SerializerConfig config) {
        return destination == null
                ? new RecordSerializer<>(kind)
                : new ReferenceSerializer<>(kind, destination);
    }

    @Override
    @SuppressWarnings("unchecked")
    public Class<T> getTypeClass() {
        return (Class<T>) kind.type();
    }

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public String toString() {
        return kind.name();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RecordType<?> type
                && type.kind == kind
                && Objects.equals(type.destination, destination);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, destination);
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof RecordType;
    }
}
