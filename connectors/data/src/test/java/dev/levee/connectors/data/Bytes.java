package dev.levee.connectors.data;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/** Writes the small files that the tests read. */
final class Bytes {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** Appends bytes. */
    Bytes add(int... values) {
        for (int value : values) {
            bytes.write(value);
        }
        return this;
    }

    /** Appends four bytes, most significant first. */
    Bytes addInt(int value) {
        return add(value >>> 24, value >>> 16, value >>> 8, value);
    }

    /** Appends the same byte several times. */
    Bytes fill(int value, int times) {
        for (int i = 0; i < times; i++) {
            add(value);
        }
        return this;
    }

    byte[] get() {
        return bytes.toByteArray();
    }

    void to(Path file) {
        write(file, get());
    }

    static void write(Path file, byte[] bytes) {
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] gzip(byte[] plain) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }
}
