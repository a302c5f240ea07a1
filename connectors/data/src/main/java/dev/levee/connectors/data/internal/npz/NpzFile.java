package dev.levee.connectors.data.internal.npz;

import dev.levee.connectors.data.Archive;
import dev.levee.connectors.data.NumpyValues;
import dev.levee.connectors.data.internal.file.SeekableFile;

import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.flink.core.fs.Path;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** A zip file of arrays, as NumPy writes it. */
final class NpzFile implements Closeable {
    private static final String ENDING = ".npy";

    /** Deflate's maximum compression: two bits for 258 bytes. */
    private static final long BEST_RATIO = 1032;

    private static final long LONGEST_HEADER = 1 << 17;

    private final Path path;
    private final Archive archive;
    private final Map<String, ZipArchiveEntry> arrays = new LinkedHashMap<>();

    private NpzFile(Path path, Archive archive) {
        this.path = path;
        this.archive = archive;
        for (ZipArchiveEntry entry : archive.entries()) {
            String name = entry.getName();
            if (name.endsWith(ENDING)) {
                arrays.put(name.substring(0, name.length() - ENDING.length()), entry);
            }
        }
    }

    /**
     * Opens a file.
     *
     * @throws IllegalArgumentException if it is not a zip of arrays; one sentence
     */
    static NpzFile open(Path path) {
        try {
            NpzFile file = new NpzFile(path, Archive.open(SeekableFile.open(path)));
            if (file.arrays.isEmpty()) {
                file.close();
                throw new IllegalArgumentException(
                        path + " is a zip without arrays: write it with numpy.savez");
            }
            return file;
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "%s is not an npz file, which is a zip (%s): write it with numpy.savez"
                            .formatted(path, e.getMessage()),
                    e);
        }
    }

    Set<String> names() {
        return arrays.keySet();
    }

    /** Reads an array. */
    interface Reading<T> {
        /** Reads the values of the array. */
        T from(NumpyValues values) throws IOException;
    }

    /**
     * Reads an array after checking its size against that of its zip entry.
     *
     * @throws IllegalArgumentException if it is missing or invalid; one sentence
     */
    <T> T read(String name, Reading<T> reading) {
        ZipArchiveEntry entry = arrays.get(name);
        if (entry == null) {
            throw new IllegalArgumentException(
                    path + " has no array " + name + ", only " + String.join(", ", names()));
        }
        try (BufferedInputStream in = new BufferedInputStream(archive.open(entry), 1 << 16)) {
            if (entry.getSize() / BEST_RATIO > Math.max(1, entry.getCompressedSize())) {
                throw new IllegalArgumentException(
                        ("%s, array %s claims %d bytes, which %d compressed bytes cannot "
                                        + "contain")
                                .formatted(path, name, entry.getSize(), entry.getCompressedSize()));
            }
            NumpyValues values = NumpyValues.open(in, name + " of " + path);
            checkSize(values, entry.getSize());
            T read = reading.from(values);
            values.end();
            return read;
        } catch (IOException e) {
            throw new IllegalArgumentException(path + " is damaged: " + e.getMessage(), e);
        }
    }

    private static void checkSize(NumpyValues values, long bytes) {
        long count = 1;
        for (long extent : values.shape()) {
            if (extent > bytes || (extent > 0 && count > bytes / extent)) {
                throw values.wrong("claims more values than the " + bytes + " bytes that it has");
            }
            count *= extent;
        }
        long claimed = values.areNumbers() ? count * values.width() : count;
        if (claimed > bytes || (values.areNumbers() && bytes > claimed + LONGEST_HEADER)) {
            throw values.wrong("has %d bytes, but its shape says %d".formatted(bytes, claimed));
        }
    }

    @Override
    public void close() throws IOException {
        archive.close();
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
