package dev.levee.learners.internal.python;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Memory that two processes map. Its file has a name only until the other process has opened it, so
 * that no file is left even if both processes are killed.
 */
final class MappedFile implements AutoCloseable {
    private static final Path IN_MEMORY = Path.of("/dev/shm");
    private static final int PIECE = 1 << 20;

    private final Path path;
    private final ByteBuffer bytes;

    private MappedFile(Path path, ByteBuffer bytes) {
        this.path = path;
        this.bytes = bytes;
    }

    /**
     * Creates memory of a size. Uses a file system in memory if one has enough space, otherwise the
     * disk.
     */
    static MappedFile create(long size) {
        if (size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "a python: model or batch of %d bytes is more than the 2147483647 that can be shared with Python"
                            .formatted(size));
        }
        try {
            return Files.isWritable(IN_MEMORY)
                    ? create(Files.createTempFile(IN_MEMORY, "levee-", ".shared"), size)
                    : onDisk(size);
        } catch (IOException e) {
            return onDisk(size);
        }
    }

    private static MappedFile onDisk(long size) {
        try {
            return create(Files.createTempFile("levee-", ".shared"), size);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot share %d bytes of memory with Python".formatted(size), e);
        }
    }

    /**
     * Writes every byte to reserve the space. Otherwise, a process that writes through a mapping to
     * a full file system would be killed.
     */
    private static MappedFile create(Path path, long size) throws IOException {
        try (FileChannel channel =
                FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer zeros = ByteBuffer.allocate(PIECE);
            for (long left = size; left > 0; left -= zeros.limit()) {
                zeros.clear().limit((int) Math.min(PIECE, left));
                while (zeros.hasRemaining()) {
                    channel.write(zeros);
                }
            }
            return new MappedFile(path, channel.map(FileChannel.MapMode.READ_WRITE, 0, size));
        } catch (IOException e) {
            Files.deleteIfExists(path);
            throw e;
        }
    }

    Path path() {
        return path;
    }

    /** The memory from a byte on, in the machine's byte order. */
    ByteBuffer from(int at) {
        return bytes.duplicate().position(at).slice().order(ByteOrder.nativeOrder());
    }

    int size() {
        return bytes.capacity();
    }

    /** Removes the name; the memory lives as long as a process maps it. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            path.toFile().deleteOnExit(); // some systems cannot delete a mapped file
        }
    }
}
