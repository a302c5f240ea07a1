package dev.levee.k8s.flink;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Control files on file systems that are mounted here. */
public final class ControlFiles implements ControlWriter {
    @Override
    public void write(URI file, String content) throws IOException {
        if (!"file".equals(file.getScheme())) {
            throw new IOException("control files must be file: URIs here, got " + file);
        }
        Path path = Path.of(file.getPath());
        Path beside = path.resolveSibling("." + path.getFileName() + ".new");
        Files.createDirectories(path.getParent());
        Files.writeString(beside, content);
        Files.move(beside, path, StandardCopyOption.ATOMIC_MOVE);
    }
}
