package dev.levee.learners;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Models in Python for tests, and interpreters for them. */
public final class PythonFiles {
    /** Finds PyTorch without loading it, which takes a second. */
    private static final String FIND_TORCH =
            "import importlib.util; 1 / bool(importlib.util.find_spec('torch'))";

    /** The first that has PyTorch. {@code LEVEE_PYTHON} names another than the usual ones. */
    private static final Optional<String> WITH_TORCH =
            Stream.of(System.getenv("LEVEE_PYTHON"), "python3", "/usr/bin/python3")
                    .filter(Objects::nonNull)
                    .filter(python -> succeeds(python, "-c", FIND_TORCH))
                    .findFirst();

    private PythonFiles() {}

    /** True if an interpreter has PyTorch, which finds a GPU. */
    public static boolean hasGpu() {
        return WITH_TORCH
                .filter(python -> succeeds(python, "-c", "import torch; torch.zeros(1).cuda()"))
                .isPresent();
    }

    static boolean succeeds(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The address of a model; the test is skipped where no interpreter has PyTorch. */
    public static String model(Path folder, String source) {
        assumeThat(WITH_TORCH).as("a python3 with torch").isPresent();
        return "python:" + write(folder.resolve("net.py"), source) + "?python=" + WITH_TORCH.get();
    }

    /** A command that starts what a shell script says. */
    public static Path interpreter(Path folder, String script) {
        Path source = write(folder.resolve("interpreter.sh"), "#!/bin/sh\n" + script);
        Path file = folder.resolve("interpreter");
        // By another process: a fork of this one at the wrong moment would keep the file open for
        // writing, and nobody may execute it then.
        String copy = "cat \"$0\" > \"$1\" && chmod +x \"$1\"";
        if (!succeeds("/bin/sh", "-c", copy, source.toString(), file.toString())) {
            throw new IllegalStateException(file + " cannot be made executable");
        }
        return file;
    }

    /** Writes a file. */
    public static Path write(Path file, String text) {
        try {
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
