package dev.levee.operators.rounds.codec;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Writes and reads one type. Values are immutable, so codecs need not copy them. */
public interface Codec<T> {
    Codec<Boolean> FLAG = with((value, out) -> out.writeBoolean(value), DataInput::readBoolean);
    Codec<Integer> INT = with((value, out) -> out.writeInt(value), DataInput::readInt);
    Codec<Long> LONG = with((value, out) -> out.writeLong(value), DataInput::readLong);
    Codec<Double> DOUBLE = with((value, out) -> out.writeDouble(value), DataInput::readDouble);
    Codec<String> TEXT = with((value, out) -> out.writeUTF(value), DataInput::readUTF);

    /** The writing half of a codec. */
    @FunctionalInterface
    interface Writer<T> {
        void write(T value, DataOutput out) throws IOException;
    }

    /** The reading half of a codec. */
    @FunctionalInterface
    interface Reader<T> {
        T read(DataInput in) throws IOException;
    }

    /** Creates a codec from two functions. */
    static <T> Codec<T> with(Writer<T> writer, Reader<T> reader) {
        return new Codec<>() {
            @Override
            public void write(T value, DataOutput out) throws IOException {
                writer.write(value, out);
            }

            @Override
            public T read(DataInput in) throws IOException {
                return reader.read(in);
            }
        };
    }

    /** A codec that writes nothing and reads this value. */
    static <T> Codec<T> absent(T value) {
        return with((any, out) -> {}, in -> value);
    }

    /**
     * The codec of a component that some versions of a format lack. Those versions are read with
     * this value.
     */
    static <T> Codec<T> when(boolean there, Codec<T> codec, T otherwise) {
        return there ? codec : absent(otherwise);
    }

    void write(T value, DataOutput out) throws IOException;

    T read(DataInput in) throws IOException;

    /** Writes the number of values, then the values. */
    default void writeAll(Collection<? extends T> values, DataOutput out) throws IOException {
        out.writeInt(values.size());
        for (T each : values) {
            write(each, out);
        }
    }

    /** Reads values that {@link #writeAll} wrote. A false count reserves no memory. */
    default List<T> readAll(DataInput in) throws IOException {
        int count = in.readInt();
        if (count < 0) {
            throw new IOException("a list of " + count);
        }
        List<T> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(read(in));
        }
        return values;
    }

    /** Writes whether there is a value, and the value. */
    default void writeNullable(T value, DataOutput out) throws IOException {
        out.writeBoolean(value != null);
        if (value != null) {
            write(value, out);
        }
    }

    /** Reads a value that {@link #writeNullable} wrote. */
    default T readNullable(DataInput in) throws IOException {
        return in.readBoolean() ? read(in) : null;
    }

    /** The codec of lists, as {@link #writeAll} writes them. */
    default Codec<List<T>> list() {
        return with(this::writeAll, this::readAll);
    }

    /** The codec of values that may be null, as {@link #writeNullable} writes them. */
    default Codec<T> nullable() {
        return with(this::writeNullable, this::readNullable);
    }

    /** This codec, restricted to one subtype. */
    default <V extends T> Codec<V> only(Class<V> type) {
        return with(
                this::write,
                in -> {
                    T value = read(in);
                    if (!type.isInstance(value)) {
                        throw new IOException(
                                "%s is not a %s"
                                        .formatted(value.getClass().getName(), type.getName()));
                    }
                    return type.cast(value);
                });
    }

    /** The codec of maps, as {@link #writeMap} writes them. */
    static <K, V> Codec<SortedMap<K, V>> map(Codec<K> keys, Codec<V> values) {
        return with(
                (map, out) -> writeMap(map, keys, values, out), in -> readMap(keys, values, in));
    }

    /** Writes the number of a map's entries, then the entries. */
    static <K, V> void writeMap(Map<K, V> map, Codec<K> keys, Codec<V> values, DataOutput out)
            throws IOException {
        out.writeInt(map.size());
        for (Map.Entry<K, V> each : map.entrySet()) {
            keys.write(each.getKey(), out);
            values.write(each.getValue(), out);
        }
    }

    /** Reads a map that {@link #writeMap} wrote. */
    static <K, V> SortedMap<K, V> readMap(Codec<K> keys, Codec<V> values, DataInput in)
            throws IOException {
        SortedMap<K, V> map = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            map.put(keys.read(in), values.read(in));
        }
        return map;
    }

    /** The bytes of a value. */
    default byte[] bytes(T value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            write(value, new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads a value from its bytes.
     *
     * @throws UncheckedIOException if they are not a value of this type
     */
    default T of(byte[] bytes) {
        try {
            return read(new DataInputStream(new ByteArrayInputStream(bytes)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
