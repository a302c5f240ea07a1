package dev.levee.connectors.data;

import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.apache.commons.compress.utils.SeekableInMemoryByteChannel;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipException;

/**
 * A zip file, read through its central directory. PyTorch writes entries before it knows their
 * sizes; only the directory has them. No entry returns more bytes than the directory says, and
 * checksums are verified.
 */
public final class Archive implements Closeable {
    private final ZipFile zip;

    private Archive(ZipFile zip) {
        this.zip = zip;
    }

    /**
     * Opens a file.
     *
     * @throws ZipException if it is not a zip, or damaged
     */
    public static Archive open(Path file) throws IOException {
        return open(Files.newByteChannel(file));
    }

    /**
     * Opens a file's content.
     *
     * @throws ZipException if it is not a zip, or damaged
     */
    public static Archive open(byte[] content) throws IOException {
        return open(new SeekableInMemoryByteChannel(content));
    }

    /**
     * Opens the file of a channel, and takes over the channel.
     *
     * @throws ZipException if it is not a zip, or damaged
     */
    public static Archive open(SeekableByteChannel channel) throws IOException {
        try {
            return new Archive(
                    ZipFile.builder()
                            .setSeekableByteChannel(channel)
                            .setIgnoreLocalFileHeader(true)
                            .get());
        } catch (IOException | RuntimeException e) {
            channel.close();
            ZipException damaged = new ZipException("its central directory cannot be read");
            damaged.initCause(e);
            throw damaged;
        }
    }

    /** The entries in the order in which the central directory has them. */
    public List<ZipArchiveEntry> entries() {
        return Collections.list(zip.getEntries());
    }

    /**
     * Total unpacked size of all entries according to the central directory, in bytes; capped at
     * 2^60.
     */
    public long unpackedBytes() {
        long most = 1L << 60;
        long bytes = 0;
        for (ZipArchiveEntry entry : entries()) {
            bytes = Math.min(most, bytes + Math.min(most, entry.getSize()));
        }
        return bytes;
    }

    /**
     * An entry's content. Reading fails at the end if the content is damaged.
     *
     * @throws ZipException if it cannot be unpacked
     */
    public InputStream open(ZipArchiveEntry entry) throws IOException {
        try {
            InputStream content = zip.getInputStream(entry);
            if (content == null) {
                throw new ZipException("it has no content");
            }
            return new Content(content, entry);
        } catch (IOException | RuntimeException e) {
            throw damaged(entry, e);
        }
    }

    /**
     * An entry's whole content.
     *
     * @throws ZipException if it is damaged
     */
    public byte[] read(ZipArchiveEntry entry) throws IOException {
        InputStream in = open(entry);
        try (in) {
            return in.readAllBytes();
        } catch (IOException | RuntimeException e) {
            throw damaged(entry, e);
        }
    }

    private static ZipException damaged(ZipArchiveEntry entry, Exception cause) {
        String why = cause.getMessage() == null ? "" : " (" + cause.getMessage() + ")";
        ZipException e =
                new ZipException("its entry " + entry.getName() + " cannot be unpacked" + why);
        e.initCause(cause);
        return e;
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }

    /** The bytes of an entry, as many as the central directory says, with its checksum verified. */
    private static final class Content extends CheckedInputStream {
        private final long sum;
        private long left;

        Content(InputStream in, ZipArchiveEntry entry) {
            super(in, new CRC32());
            sum = entry.getCrc();
            left = entry.getSize();
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            int count = super.read(to, offset, (int) Math.min(length, left));
            if (count < 0) {
                throw new ZipException(left + " bytes are missing");
            }
            left -= count;
            if (left == 0 && getChecksum().getValue() != sum) {
                throw new ZipException("its checksum is wrong");
            }
            return count;
        }
    }
}
