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
    /** The first that has PyTorch. {@code LEVEE_PYTHON} names another than the usual ones. */
    private static final Optional<String> WITH_TORCH =
            Stream.of(System.getenv("LEVEE_PYTHON"), "python3", "/usr/bin/python3")
                    .filter(Objects::nonNull)
                    .filter(PythonFiles::hasTorch)
                    .findFirst();

    private PythonFiles() {}

    private static boolean hasTorch(String interpreter) {
        try {
            // Finds it without loading it, which takes a second.
            String program = "import importlib.util; 1 / bool(importlib.util.find_spec('torch'))";
            return new ProcessBuilder(interpreter, "-c", program)
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
        Path file = write(folder.resolve("interpreter"), "#!/bin/sh\n" + script);
        if (!file.toFile().setExecutable(true)) {
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
