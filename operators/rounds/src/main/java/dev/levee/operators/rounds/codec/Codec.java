package dev.levee.operators.rounds.codec;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes and reads one type. Nothing that is read is ever changed, so codecs need no copying. */
public interface Codec<T> {
    void write(T value, DataOutput out) throws IOException;

    T read(DataInput in) throws IOException;

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
     * The value of its bytes.
     *
     * @throws UncheckedIOException if they are none of this type's
     */
    default T of(byte[] bytes) {
        try {
            return read(new DataInputStream(new ByteArrayInputStream(bytes)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
