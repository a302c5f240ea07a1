package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes a record as its components, in the order in which it declares them. If a component is
 * added, removed, moved or gets another type, the format changes and needs a new version.
 */
public final class RecordCodec<T> implements Codec<T> {
    static final Codec<ShardId> SHARD =
            Codec.with(
                    (shard, out) -> {
                        out.writeInt(shard.server());
                        out.writeInt(shard.block());
                    },
                    in -> new ShardId(in.readInt(), in.readInt()));

    /** The default codecs of types. */
    private static final Map<Class<?>, Codec<?>> USUAL =
            Map.ofEntries(
                    Map.entry(boolean.class, Codec.FLAG),
                    Map.entry(int.class, Codec.INT),
                    Map.entry(long.class, Codec.LONG),
                    Map.entry(double.class, Codec.DOUBLE),
                    Map.entry(String.class, Codec.TEXT),
                    Map.entry(byte[].class, ArrayCodec.BYTES),
                    Map.entry(int[].class, ArrayCodec.INTS),
                    Map.entry(long[].class, ArrayCodec.LONGS),
                    Map.entry(float[].class, ArrayCodec.FLOATS),
                    Map.entry(float[][].class, ArrayCodec.ROWS),
                    Map.entry(double[].class, ArrayCodec.DOUBLES),
                    Map.entry(BitSet.class, BitsCodec.INSTANCE),
                    Map.entry(ShardId.class, SHARD),
                    Map.entry(Settings.class, SettingsCodec.INSTANCE));

    private final String[] names;
    private final Method[] accessors;
    private final Codec<Object>[] codecs;
    private final Constructor<T> constructor;

    /**
     * Creates the codec of a record.
     *
     * @param others codecs of the components whose types have no default codec, in order
     */
    public RecordCodec(Class<T> type, Codec<?>... others) {
        this(type, Map.of(), others);
    }

    /**
     * Creates the codec of a record, with own codecs for some components.
     *
     * @param own codecs of components by name, in place of the defaults of their types
     */
    public RecordCodec(Class<T> type, Map<String, Codec<?>> own, Codec<?>... others) {
        this(type, own, Set.of(), others);
    }

    /**
     * Creates the codec of the components that are not written before the record.
     *
     * @param known names of components that are written before
     */
    @SuppressWarnings("unchecked")
    RecordCodec(Class<T> type, Map<String, Codec<?>> own, Set<String> known, Codec<?>... others) {
        RecordComponent[] components = type.getRecordComponents();
        Iterator<Codec<?>> next = List.of(others).iterator();
        names = new String[components.length];
        accessors = new Method[components.length];
        codecs = new Codec[components.length];
        for (int i = 0; i < components.length; i++) {
            names[i] = components[i].getName();
            accessors[i] = components[i].getAccessor();
            accessors[i].setAccessible(true);
            if (!known.contains(names[i])) {
                Codec<?> codec = own.getOrDefault(names[i], USUAL.get(components[i].getType()));
                codecs[i] = (Codec<Object>) (codec == null ? next.next() : codec);
            }
        }
        if (next.hasNext()) {
            throw new IllegalArgumentException(type + " has fewer components of unusual types");
        }
        try {
            constructor =
                    type.getDeclaredConstructor(
                            Arrays.stream(components)
                                    .map(RecordComponent::getType)
                                    .toArray(Class[]::new));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
        constructor.setAccessible(true);
    }

    @Override
    public void write(T value, DataOutput out) throws IOException {
        for (int i = 0; i < codecs.length; i++) {
            if (codecs[i] != null) {
                codecs[i].write(component(i, value), out);
            }
        }
    }

    private Object component(int i, T value) {
        try {
            return accessors[i].invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public T read(DataInput in) throws IOException {
        return read(in, Map.of());
    }

    /** Reads a record; some components are known already. */
    T read(DataInput in, Map<String, ?> known) throws IOException {
        Object[] values = new Object[codecs.length];
        for (int i = 0; i < codecs.length; i++) {
            values[i] = codecs[i] == null ? known.get(names[i]) : codecs[i].read(in);
        }
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException refused) {
                throw refused;
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
