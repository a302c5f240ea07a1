package dev.levee.jobs;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Files of the source tree, without what builds and runs write. */
final class TreeFiles {
    private static final Set<String> LEFT_OUT = Set.of("target", "node_modules", ".git", ".levee");

    private TreeFiles() {}

    /** Files under a folder, or the file itself, whose names end so. */
    static List<Path> ending(Path start, String end) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(
                start,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes a) {
                        // Builds of other modules come and go in there.
                        return LEFT_OUT.contains(folder.getFileName().toString())
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes a) {
                        if (file.toString().endsWith(end)) {
                            files.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException e) {
                        return FileVisitResult.CONTINUE; // somebody has deleted it meanwhile
                    }
                });
        return files;
    }
}
