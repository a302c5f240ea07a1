package dev.levee.operators.rounds;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * A large value that every operator of a job holds, such as a number for each device. It is
 * serialized in compressed form, and all deserialized copies in a JVM are one object.
 *
 * @param <T> type of the value, which must never be changed
 */
public final class SharedValue<T extends Serializable> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final transient T value;
    private transient Form form;

    private SharedValue(T value) {
        this.value = value;
    }

    public static <T extends Serializable> SharedValue<T> of(T value) {
        return new SharedValue<>(value);
    }

    /** The value, which must not be changed. */
    public T get() {
        return value;
    }

    /** Compresses the value once, although each operator is serialized separately. */
    private synchronized Object writeReplace() throws ObjectStreamException {
        if (form == null) {
            form = new Form(deflated(value));
        }
        return form;
    }

    private static byte[] deflated(Serializable value) throws ObjectStreamException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(new DeflaterOutputStream(bytes))) {
            out.writeObject(value);
        } catch (ObjectStreamException e) {
            throw e;
        } catch (IOException e) {
            throw new IllegalStateException("memory cannot be written", e);
        }
        return bytes.toByteArray();
    }

    private record Form(byte[] bytes) implements Serializable {
        /**
         * The values by serialized form; a form stays in memory as long as its value is referenced.
         */
        private static final Map<Form, WeakReference<SharedValue<?>>> HERE = new WeakHashMap<>();

        private Object readResolve() throws ObjectStreamException {
            synchronized (HERE) {
                WeakReference<SharedValue<?>> known = HERE.get(this);
                SharedValue<?> here = known == null ? null : known.get();
                if (here == null) {
                    here = inflated();
                    HERE.remove(this); // the key of a value that is no longer referenced
                    HERE.put(this, new WeakReference<>(here));
                }
                return here;
            }
        }

        private SharedValue<?> inflated() throws ObjectStreamException {
            try (ObjectInputStream in =
                    new ObjectInputStream(
                            new InflaterInputStream(new ByteArrayInputStream(bytes)))) {
                SharedValue<?> read = new SharedValue<>((Serializable) in.readObject());
                read.form = this;
                return read;
            } catch (IOException | ClassNotFoundException e) {
                throw (ObjectStreamException) new InvalidObjectException(e.toString()).initCause(e);
            }
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Form form && Arrays.equals(bytes, form.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }
}
