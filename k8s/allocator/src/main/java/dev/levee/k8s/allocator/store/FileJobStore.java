package dev.levee.k8s.allocator.store;

import dev.levee.k8s.allocator.InMemoryJobStore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A store in one file, which is replaced atomically at each {@link #flush}. If the process or the
 * machine fails, the file has the content of the last flush. Only one process at a time can open
 * it.
 */
public final class FileJobStore extends InMemoryJobStore implements AutoCloseable {
    private final Path file;
    private final FileChannel lock;
    private String written = "";

    private FileJobStore(Path file, FileChannel lock) {
        this.file = file;
        this.lock = lock;
    }

    /**
     * Opens a file for this process alone; the file need not exist.
     *
     * @throws IllegalArgumentException if the file is not a store; one sentence
     * @throws IllegalStateException if another process has opened it; one sentence
     * @throws IOException if it cannot be read or written
     */
    public static FileJobStore open(Path file) throws IOException {
        Path absolute = file.toAbsolutePath();
        if (Files.isDirectory(absolute)) {
            throw new IllegalArgumentException(file + " is a directory, not an allocator's store");
        }
        try {
            Files.createDirectories(absolute.getParent());
        } catch (IOException e) {
            throw new IllegalStateException(
                    "the store " + file + " needs the directory " + absolute.getParent(), e);
        }
        FileJobStore store = new FileJobStore(absolute, lock(absolute));
        boolean open = false;
        try {
            load(absolute).into(store);
            store.flush();
            open = true;
            return store;
        } finally {
            if (!open) {
                store.close();
            }
        }
    }

    /**
     * Reads a file; the content is empty if it does not exist. A process that has opened the file
     * is not affected.
     *
     * @throws IllegalArgumentException if the file is not a store; one sentence
     */
    public static StoreContent load(Path file) throws IOException {
        try {
            String text = Files.readString(file);
            return MemoryJson.read(file.toString(), text);
        } catch (NoSuchFileException e) {
            return StoreContent.EMPTY;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + " is not an allocator's store", e);
        }
    }

    /**
     * Opens the lock's file. It is a separate file, because the store's file is replaced at each
     * flush.
     */
    private static FileChannel lock(Path file) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        beside(file, "lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            channel.close();
            throw new IllegalStateException(
                    "another allocator uses the store %s; end it, or use another store for this one"
                            .formatted(file));
        }
        return channel;
    }

    private static Path beside(Path file, String suffix) {
        return file.resolveSibling("." + file.getFileName() + "." + suffix);
    }

    /**
     * Replaces the file.
     *
     * @throws UncheckedIOException if it cannot be written; the old file then remains
     */
    @Override
    public void flush() {
        String text = MemoryJson.write(StoreContent.of(this));
        if (text.equals(written)) {
            return;
        }
        Path fresh = beside(file, "new");
        try (FileChannel out =
                FileChannel.open(
                        fresh,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    new IOException("cannot write the store " + file + ": " + e, e));
        }
        written = text;
    }

    /** Releases the file for other processes. Data that was not flushed is lost. */
    @Override
    public void close() throws IOException {
        lock.close();
    }
}
