package dev.levee.benchmarks.siege;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A disk for checkpoints that can be filled. It is a small tmpfs that a file fills, if this process
 * may mount one. Otherwise it is a folder that becomes read-only for some time, which does not
 * affect root.
 */
final class CheckpointDisk implements AutoCloseable {
    private static final String SIZE = "48m";
    private static final String BALLAST = "ballast";

    private final Path directory;
    private final boolean mounted;

    private final Thread last = new Thread(this::unmount, "unmount");

    private CheckpointDisk(Path directory, boolean mounted) {
        this.directory = directory;
        this.mounted = mounted;
        Runtime.getRuntime().addShutdownHook(last);
    }

    /** Prepares the disk at an existing directory. */
    static CheckpointDisk at(Path directory) throws IOException, InterruptedException {
        boolean mounted =
                run("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "tmpfs", directory.toString());
        return new CheckpointDisk(directory, mounted);
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    Path directory() {
        return directory;
    }

    /** Describes the disk for people. */
    String what() {
        return mounted
                ? "a tmpfs of " + SIZE + ", filled by a file"
                : "a folder, whose permission to write is taken away";
    }

    /** Makes the disk full. */
    void fill() throws IOException, InterruptedException {
        if (!mounted) {
            run("chmod", "-R", "a-w", directory.toString());
            return;
        }
        byte[] zeros = new byte[1 << 16];
        try (OutputStream out = Files.newOutputStream(directory.resolve(BALLAST))) {
            while (true) {
                out.write(zeros);
            }
        } catch (IOException full) {
            // Expected: the disk is full.
        }
    }

    /** Makes room on the disk again. */
    void free() throws IOException, InterruptedException {
        if (!mounted) {
            run("chmod", "-R", "u+w", directory.toString());
            return;
        }
        Files.deleteIfExists(directory.resolve(BALLAST));
    }

    /** Deletes the files of a finished run. */
    void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.sorted((a, b) -> b.compareTo(a)).toList();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }

    private void unmount() {
        if (!mounted) {
            return;
        }
        try {
            // Unmounts lazily, because processes that still write to it are about to be ended.
            run("umount", "-l", directory.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(last);
        unmount();
    }
}
