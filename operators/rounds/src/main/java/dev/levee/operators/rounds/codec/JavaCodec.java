package dev.levee.operators.rounds.codec;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;

/** Java serialization, for small records that are written a few times a round or less. */
final class JavaCodec<T> implements Codec<T> {
    private final Class<T> type;

    JavaCodec(Class<T> type) {
        this.type = type;
    }

    @Override
    public void write(T value, DataOutput out) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream objects = new ObjectOutputStream(bytes)) {
            objects.writeObject(value);
        }
        out.writeInt(bytes.size());
        out.write(bytes.toByteArray());
    }

    @Override
    public T read(DataInput in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        try (ObjectInputStream objects = new UserObjects(new ByteArrayInputStream(bytes))) {
            return type.cast(objects.readObject());
        } catch (ClassNotFoundException e) {
            throw new IOException("unknown class in a record", e);
        }
    }

    /** Finds classes where this class was found: the job's own class loader. */
    private static final class UserObjects extends ObjectInputStream {
        UserObjects(ByteArrayInputStream in) throws IOException {
            super(in);
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description)
                throws IOException, ClassNotFoundException {
            try {
                return Class.forName(
                        description.getName(), false, JavaCodec.class.getClassLoader());
            } catch (ClassNotFoundException e) {
                return super.resolveClass(description);
            }
        }
    }
}
