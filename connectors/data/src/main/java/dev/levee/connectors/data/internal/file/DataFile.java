package dev.levee.connectors.data.internal.file;

import dev.levee.connectors.data.Picture;

import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.UnsupportedFileSystemSchemeException;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads a file from its start, decompressing gzip. Every failure is an {@link
 * IllegalArgumentException} with one sentence that starts with the file's path. Sizes claimed by a
 * file are checked before anything is allocated.
 */
public final class DataFile implements Closeable {
    private static final int BUFFER = 1 << 16;

    private static final int MOST_BYTES_OF_A_PICTURE = 1 << 28;

    /** Deflate's maximum compression: two bits for 258 bytes. */
    private static final long BEST_RATIO = 1032;

    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:");

    private final Path path;
    private final long length;
    private final boolean gzip;
    private final InputStream in;

    private DataFile(Path path, long length, boolean gzip, InputStream in) {
        this.path = path;
        this.length = length;
        this.gzip = gzip;
        this.in = in;
    }

    /** Parses a path. A path without a scheme and without a leading slash is local. */
    public static Path path(String text) {
        if (!isFull(text)) {
            return Path.fromLocalFile(new File(text).getAbsoluteFile());
        }
        return new Path(text);
    }

    /** True if a path names its file system or starts at the root. */
    public static boolean isFull(String text) {
        return text.startsWith("/") || SCHEME.matcher(text).lookingAt();
    }

    /**
     * Decodes a PNG or JPEG file to a square, as {@link Picture#decode} does.
     *
     * @throws IllegalArgumentException if it is not a readable picture; one sentence
     */
    public static byte[] picture(Path path, int side) {
        try (DataFile file = open(path)) {
            byte[] content = file.readAll(MOST_BYTES_OF_A_PICTURE);
            try {
                return Picture.decode(content, side);
            } catch (IOException e) {
                throw file.wrong("is not a readable image: " + e.getMessage(), e);
            }
        }
    }

    /**
     * Opens the first of {@code names} that exists in a folder, plain or with the suffix {@code
     * .gz}.
     */
    public static DataFile openFirst(Path folder, String... names) {
        for (String name : names) {
            for (String ending : new String[] {"", ".gz"}) {
                Path path = new Path(folder, name + ending);
                if (exists(path)) {
                    return open(path);
                }
            }
        }
        throw new IllegalArgumentException(
                "%s has no file %s, neither plain nor with .gz"
                        .formatted(folder, String.join(" or ", names)));
    }

    public static boolean exists(Path path) {
        try {
            return path.getFileSystem().exists(path);
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    /** The content of a folder, ordered by name. */
    public static List<FileStatus> list(Path folder) {
        try {
            FileStatus[] found = folder.getFileSystem().listStatus(folder);
            if (found == null) {
                throw new FileNotFoundException();
            }
            return Arrays.stream(found)
                    .sorted(Comparator.comparing(status -> status.getPath().getName()))
                    .toList();
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    /**
     * The files of a folder with a given suffix, plain or gzip, ordered by name; at least one. A
     * file that is there in both forms is listed once.
     */
    public static List<Path> list(Path folder, String ending) {
        Set<String> names = new HashSet<>();
        List<Path> files =
                list(folder).stream()
                        .filter(status -> !status.isDir())
                        .map(FileStatus::getPath)
                        .filter(path -> named(path.getName(), ending, names))
                        .toList();
        if (files.isEmpty()) {
            throw new IllegalArgumentException(folder + " has no file *" + ending);
        }
        return files;
    }

    /** True for a name with the ending, unless the same one was there before. */
    private static boolean named(String name, String ending, Set<String> before) {
        String plain = name.endsWith(ending + ".gz") ? name.substring(0, name.length() - 3) : name;
        return plain.endsWith(ending) && before.add(plain);
    }

    public static DataFile open(Path path) {
        try {
            FileSystem files = path.getFileSystem();
            long length = files.getFileStatus(path).getLen();
            InputStream raw = new BufferedInputStream(files.open(path), BUFFER);
            try {
                raw.mark(2);
                boolean gzip = raw.read() == 0x1F && raw.read() == 0x8B;
                raw.reset();
                InputStream in =
                        gzip
                                ? new BufferedInputStream(new GZIPInputStream(raw, BUFFER), BUFFER)
                                : raw;
                return new DataFile(path, length, gzip, in);
            } catch (IOException e) {
                raw.close();
                throw e;
            }
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    /**
     * Checks a size that a header claims, before memory is allocated. The size must match the
     * file's length, or, for gzip files, be reachable with gzip's maximum compression; and the
     * content must fit into this JVM's memory.
     *
     * @param bytes claimed length of the uncompressed file
     * @param memory bytes of memory that the content then takes
     */
    public void claim(long bytes, long memory, String claim) {
        if (gzip ? bytes > length * BEST_RATIO : bytes != length) {
            throw wrong(
                    "claims %s, which makes %s bytes, but has %s%s"
                            .formatted(
                                    claim, bytes, length, gzip ? " compressed bytes" : " bytes"));
        }
        checkMemory(memory);
    }

    /** Refuses to hold more than half of the heap. */
    public void checkMemory(long bytes) {
        Memory.check(path.toString(), bytes);
    }

    /** The rest of the file; {@link #failed} translates the stream's errors. */
    public InputStream stream() {
        return in;
    }

    /** An error while reading this file. */
    public IllegalArgumentException failed(IOException e) {
        return unreadable(path, e);
    }

    /** The next byte, or −1 at the end. */
    public int read() {
        try {
            return in.read();
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    /** The next four bytes, most significant first. */
    public int readInt() {
        byte[] bytes = read(4);
        return (bytes[0] & 0xFF) << 24
                | (bytes[1] & 0xFF) << 16
                | (bytes[2] & 0xFF) << 8
                | bytes[3] & 0xFF;
    }

    /** Exactly {@code count} bytes. Memory grows with the data read, not with the count. */
    public byte[] read(int count) {
        byte[] bytes = readUpTo(count);
        if (bytes.length < count) {
            throw wrong("ends too early");
        }
        return bytes;
    }

    /** The next {@code count} bytes, or the rest. */
    public byte[] readUpTo(int count) {
        try {
            return in.readNBytes(count);
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    /** The remaining bytes, unless there are more than {@code most} or an eighth of the heap. */
    byte[] readAll(int most) {
        int fitting = (int) Math.min(most, Runtime.getRuntime().maxMemory() / 8);
        byte[] bytes = !gzip && length > fitting ? null : readUpTo(fitting + 1);
        if (bytes == null || bytes.length > fitting) {
            throw wrong("has more than the " + fitting + " bytes that fit into memory");
        }
        return bytes;
    }

    /** Requires that everything was read; in gzip, this also checks the checksum. */
    public void end() {
        if (read() >= 0) {
            throw wrong("continues after the end that its header announces");
        }
    }

    /** An error about this file. */
    public IllegalArgumentException wrong(String what) {
        return wrong(what, null);
    }

    /** An error about this file, with its cause. */
    public IllegalArgumentException wrong(String what, Exception cause) {
        return new IllegalArgumentException(path + " " + what, cause);
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    public static IllegalArgumentException unreadable(Path path, IOException e) {
        String why = "cannot be read: " + e.getMessage();
        if (e instanceof EOFException) {
            why = "ends too early";
        } else if (e instanceof ZipException) {
            why = "is damaged gzip: " + e.getMessage();
        } else if (e instanceof UnsupportedFileSystemSchemeException) {
            why =
                    "cannot be read: Flink has no file system for "
                            + path.toUri().getScheme()
                            + ":, neither built in nor as a plugin";
        } else if (e instanceof FileNotFoundException) {
            why = "does not exist or cannot be read";
        }
        return new IllegalArgumentException(path + " " + why, e);
    }
}
