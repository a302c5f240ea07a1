package dev.levee.jobs.internal.cluster;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Deletes directories with their contents. */
public final class FileTree {
    private static final int TRIES = 5;

    private FileTree() {}

    /**
     * Deletes a directory, if it exists. Others may create files in it or delete from it at the
     * same time, as Flink does with the checkpoints of a job that has just ended. Symbolic links
     * are deleted, but not their targets.
     */
    public static void delete(Path directory) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                Files.walkFileTree(directory, new Deletion());
                return;
            } catch (DirectoryNotEmptyException e) {
                // Somebody created a file behind the walk.
                if (tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            return delete(file);
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            return goneOrFail(e);
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, IOException e)
                throws IOException {
            return e == null ? delete(directory) : goneOrFail(e);
        }

        private static FileVisitResult delete(Path path) throws IOException {
            Files.deleteIfExists(path);
            return FileVisitResult.CONTINUE;
        }

        private static FileVisitResult goneOrFail(IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw e;
        }
    }
}
