package dev.levee.k8s.flink;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes control files on file systems that are mounted on this machine. */
public final class ControlFiles implements ControlWriter {
    @Override
    public void write(String file, String content) throws IOException {
        if (!file.startsWith("file:/")) {
            throw new IOException("control files must be file: URIs here, got " + file);
        }
        replace(Path.of(URI.create(file).getPath()), content);
    }

    /**
     * Replaces a file atomically. Even after a power failure, it has either this content or the
     * previous one.
     */
    public static void replace(Path path, String content) throws IOException {
        Path beside = path.resolveSibling("." + path.getFileName() + ".new");
        Files.createDirectories(path.getParent());
        Files.writeString(beside, content);
        try (FileChannel written = FileChannel.open(beside, StandardOpenOption.WRITE)) {
            written.force(true);
        }
        Files.move(beside, path, StandardCopyOption.ATOMIC_MOVE);
    }
}
