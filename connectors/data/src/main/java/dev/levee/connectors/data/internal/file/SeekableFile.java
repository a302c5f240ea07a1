package dev.levee.connectors.data.internal.file;

import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;

/** A file with random read access, on any file system that Flink supports. */
public final class SeekableFile implements SeekableByteChannel {
    private final Path path;
    private final FSDataInputStream in;
    private final long length;
    private boolean open = true;

    private SeekableFile(Path path, FSDataInputStream in, long length) {
        this.path = path;
        this.in = in;
        this.length = length;
    }

    /**
     * Opens a file.
     *
     * @throws IllegalArgumentException if it cannot be read; one sentence
     */
    public static SeekableFile open(Path path) {
        try {
            FileSystem files = path.getFileSystem();
            FileStatus status = files.getFileStatus(path);
            if (status.isDir()) {
                throw new IllegalArgumentException(path + " is a folder, not a file");
            }
            return new SeekableFile(path, files.open(path), status.getLen());
        } catch (FileNotFoundException e) {
            throw DataFile.unreadable(path, new FileNotFoundException());
        } catch (IOException e) {
            throw DataFile.unreadable(path, e);
        }
    }

    /**
     * Reads {@code count} bytes from position {@code from}. The caller checks that they fit into
     * memory.
     */
    public byte[] read(long from, int count) throws IOException {
        if (from < 0 || from > length - count) {
            throw new EOFException("the file ends too early");
        }
        in.seek(from);
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("the file ends too early");
        }
        return bytes;
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        if (!to.hasRemaining()) {
            return 0;
        }
        byte[] bytes = new byte[Math.min(to.remaining(), 1 << 16)];
        int count = in.read(bytes);
        if (count > 0) {
            to.put(bytes, 0, count);
        }
        return count;
    }

    @Override
    public long position() throws IOException {
        return in.getPos();
    }

    @Override
    public SeekableByteChannel position(long position) throws IOException {
        in.seek(Math.min(position, length));
        return this;
    }

    @Override
    public long size() {
        return length;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() throws IOException {
        open = false;
        in.close();
    }

    @Override
    public int write(ByteBuffer from) {
        throw new NonWritableChannelException();
    }

    @Override
    public SeekableByteChannel truncate(long size) {
        throw new NonWritableChannelException();
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
