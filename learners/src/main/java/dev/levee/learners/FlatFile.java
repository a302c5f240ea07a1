package dev.levee.learners;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A flat vector in a temporary file, which is deleted when the vector is closed. Coordinates that
 * have not been written are 0. Several threads may read it. A write is visible to a reader if it
 * happens before the read, which callers must ensure.
 */
public final class FlatFile implements FlatVector, AutoCloseable {
    /** Maximum number of bytes that are read or written at a time. */
    private static final int MOST = 1 << 18;

    private final int size;
    private final FileChannel channel;

    /**
     * Creates a vector of zeros.
     *
     * @param folder the folder of the file; created if it does not exist
     * @throws UncheckedIOException if the file cannot be created
     */
    public FlatFile(Path folder, int size) {
        this.size = size;
        try {
            Files.createDirectories(folder);
            channel =
                    FileChannel.open(
                            Files.createTempFile(folder, "levee-vector-", ".bin"),
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep a vector in " + folder, e);
        }
    }

    @Override
    public int size() {
        return size;
    }

    /** Writes coordinates from {@code from} on. */
    public void put(int from, float[] values) {
        check(from, values.length);
        try {
            ByteBuffer buffer = ByteBuffer.allocate(MOST);
            for (int at = 0; at < values.length; at += MOST / Float.BYTES) {
                int count = Math.min(MOST / Float.BYTES, values.length - at);
                buffer.asFloatBuffer().put(values, at, count);
                buffer.position(0).limit(count * Float.BYTES);
                long position = (long) (from + at) * Float.BYTES;
                while (buffer.hasRemaining()) {
                    position += channel.write(buffer, position);
                }
                buffer.clear();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public float[] range(int from, int length) {
        check(from, length);
        float[] values = new float[length];
        try {
            ByteBuffer buffer = ByteBuffer.allocate(MOST);
            for (int at = 0; at < length; at += MOST / Float.BYTES) {
                int count = Math.min(MOST / Float.BYTES, length - at);
                read(buffer.limit(count * Float.BYTES), (long) (from + at) * Float.BYTES);
                buffer.asFloatBuffer().get(values, at, count);
                buffer.clear();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return values;
    }

    private void read(ByteBuffer buffer, long from) throws IOException {
        long position = from;
        while (buffer.hasRemaining()) {
            int read = channel.read(buffer, position);
            if (read < 0) {
                break; // end of what has been written
            }
            position += read;
        }
        while (buffer.hasRemaining()) {
            buffer.put((byte) 0);
        }
        buffer.flip();
    }

    private void check(int from, int length) {
        if (from < 0 || length < 0 || length > size - from) {
            throw new IllegalArgumentException(
                    "a vector of %d has no %d coordinates from %d on"
                            .formatted(size, length, from));
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
