package dev.levee.k8s.flink;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes control files on file systems that are mounted on this machine. */
public final class ControlFiles implements ControlWriter {
    @Override
    public void write(String file, String content) throws IOException {
        if (!file.startsWith("file:/")) {
            throw new IOException("control files must be file: URIs here, got " + file);
        }
        replace(Path.of(URI.create(file).getPath()), content);
    }

    /** Replaces a file atomically. */
    public static void replace(Path path, String content) throws IOException {
        Path beside = path.resolveSibling("." + path.getFileName() + ".new");
        Files.createDirectories(path.getParent());
        Files.writeString(beside, content);
        Files.move(beside, path, StandardCopyOption.ATOMIC_MOVE);
    }
}
