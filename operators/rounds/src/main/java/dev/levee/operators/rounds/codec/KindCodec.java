package dev.levee.operators.rounds.codec;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Writes values of several types: a byte for the type, the components that all types have, and the
 * rest. A type's number never changes.
 */
public final class KindCodec<T> implements Codec<T> {
    /** Writes the components that all types have, in front of the others. */
    public interface Head<T> {
        void write(T value, DataOutput out) throws IOException;

        /** Reads the values of these components, by name. */
        Map<String, Object> read(DataInput in) throws IOException;

        /** The names of these components. */
        Set<String> names();
    }

    /** Reads the other components of a value. */
    @FunctionalInterface
    public interface Rest<V> {
        V read(Map<String, ?> head, DataInput in) throws IOException;
    }

    private record Kind<T, V extends T>(
            int number, Class<V> type, Predicate<V> when, Writer<V> writer, Rest<V> rest) {
        private boolean is(T value) {
            return type.isInstance(value) && when.test(type.cast(value));
        }

        private void write(T value, DataOutput out) throws IOException {
            writer.write(type.cast(value), out);
        }
    }

    private final String unknown;
    private final Head<T> head;
    private final List<Kind<T, ?>> kinds = new ArrayList<>();

    /**
     * Creates a codec without kinds.
     *
     * @param unknown the beginning of the message about an unknown number
     * @param head null if values have nothing in common
     */
    public KindCodec(String unknown, Head<T> head) {
        this.unknown = unknown;
        this.head = head;
    }

    /** Adds a type of records; the head's components are not written twice. */
    public <V extends T> KindCodec<T> record(int number, Class<V> type, Codec<?>... others) {
        return record(number, type, any -> true, Map.of(), others);
    }

    /**
     * Adds a type of records that {@link RecordCodec} writes.
     *
     * @param when true for values of this kind; a value is written as the first kind that accepts
     *     it
     * @param own codecs of components by name
     */
    public <V extends T> KindCodec<T> record(
            int number,
            Class<V> type,
            Predicate<V> when,
            Map<String, Codec<?>> own,
            Codec<?>... others) {
        Set<String> known = head == null ? Set.of() : head.names();
        RecordCodec<V> codec = new RecordCodec<>(type, own, known, others);
        kinds.add(
                new Kind<>(
                        number, type, when, codec::write, (values, in) -> codec.read(in, values)));
        return this;
    }

    /** Adds a type. */
    public <V extends T> KindCodec<T> add(int number, Class<V> type, Codec<V> codec) {
        return add(number, type, codec::write, (values, in) -> codec.read(in));
    }

    /** Adds a type whose other components are written and read by functions. */
    public <V extends T> KindCodec<T> add(
            int number, Class<V> type, Writer<V> writer, Rest<V> rest) {
        kinds.add(new Kind<>(number, type, any -> true, writer, rest));
        return this;
    }

    /** True if values of a type can be written. */
    boolean takes(Class<?> type) {
        return kinds.stream().anyMatch(kind -> kind.type().isAssignableFrom(type));
    }

    @Override
    public void write(T value, DataOutput out) throws IOException {
        for (Kind<T, ?> kind : kinds) {
            if (kind.is(value)) {
                out.writeByte(kind.number());
                if (head != null) {
                    head.write(value, out);
                }
                kind.write(value, out);
                return;
            }
        }
        throw new IllegalArgumentException(unknown + " " + value.getClass().getName());
    }

    @Override
    public T read(DataInput in) throws IOException {
        int number = in.readUnsignedByte();
        for (Kind<T, ?> kind : kinds) {
            if (kind.number() == number) {
                return kind.rest().read(head == null ? Map.of() : head.read(in), in);
            }
        }
        throw new IOException(unknown + " " + number);
    }
}
