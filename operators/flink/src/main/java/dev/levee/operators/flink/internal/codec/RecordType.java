package dev.levee.operators.flink.internal.codec;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Flink's description of one of the loop's records. */
public final class RecordType<T> extends TypeInformation<T> {
    private static final long serialVersionUID = 1L;

    private final RecordKind kind;

    RecordType(RecordKind kind) {
        this.kind = kind;
    }

    @Override
    public TypeSerializer<T> createSerializer(SerializerConfig config) {
        return new RecordSerializer<>(kind);
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
        return other instanceof RecordType<?> type && type.kind == kind;
    }

    @Override
    public int hashCode() {
        return kind.hashCode();
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof RecordType;
    }
}
