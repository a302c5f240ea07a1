package dev.levee.operators.driver;

import dev.levee.operators.internal.codec.RecordKind;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/** Something that was handed to a checkpoint, and the bytes that Flink would write for it. */
final class Frozen<T> {
    private final TypeSerializer<T> serializer;
    private final T original;
    private final byte[] bytes;

    private Frozen(TypeSerializer<T> serializer, T original) {
        this.serializer = serializer;
        this.original = original;
        this.bytes = write();
    }

    static <T> Frozen<T> of(RecordKind kind, Class<T> type, T value) {
        return new Frozen<>(kind.asType(type).createSerializer((SerializerConfig) null), value);
    }

    /** True if the original still writes the same bytes. */
    boolean untouched() {
        return Arrays.equals(bytes, write());
    }

    /** What is read back: equal, and sharing nothing. */
    T thaw() {
        try {
            return serializer.deserialize(new DataInputDeserializer(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] write() {
        DataOutputSerializer out = new DataOutputSerializer(256);
        try {
            serializer.serialize(original, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.getCopyOfBuffer();
    }
}
