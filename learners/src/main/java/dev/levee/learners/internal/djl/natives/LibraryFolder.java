package dev.levee.learners.internal.djl.natives;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A folder that {@code PYTORCH_LIBRARY_PATH} names, such as {@code site-packages/torch/lib} of a
 * PyTorch that pip installed. DJL's native code is compiled for one version of PyTorch; another
 * version would crash the process instead of raising an exception.
 *
 * @param path the folder
 */
record LibraryFolder(Path path) {
    /** The version of PyTorch that DJL's native code is compiled for. */
    static final String VERSION = "2.7.1";

    private static final String VARIABLE = "PYTORCH_LIBRARY_PATH";
    private static final Pattern PIPS =
            Pattern.compile("^__version__ = '([^']+)'", Pattern.MULTILINE);

    /** Linux distributions put the version into a library's name, as in libtorch_cpu.so.1.13.0. */
    private static final Pattern NAMED = Pattern.compile("\\.so\\.([0-9.]+)$");

    /** The folder that the user names, if any. */
    static Optional<LibraryFolder> named() {
        return Stream.of(System.getenv(VARIABLE), System.getProperty(VARIABLE))
                .filter(path -> path != null && !path.isEmpty())
                .findFirst()
                .map(path -> new LibraryFolder(Path.of(path)));
    }

    /**
     * Checks that the libraries exist, and that they have the right version if the folder tells
     * their version.
     *
     * @throws IllegalStateException if the libraries cannot be used; one sentence
     */
    void check() {
        if (!Files.exists(library())) {
            throw wrong("which has no " + library().getFileName());
        }
        String version = version().orElse(VERSION);
        // A suffix such as +cpu or +cu128 is the flavor.
        if (!version.replaceAll("\\+.*", "").equals(VERSION)) {
            throw wrong("which is PyTorch " + version);
        }
    }

    /**
     * A message that says which libraries are loaded. Their flavor tells whether they were built
     * for a GPU.
     */
    String words() {
        return "PyTorch %s of %s: %s".formatted(version().orElse(VERSION), VARIABLE, path);
    }

    private Path library() {
        return path.resolve(System.mapLibraryName("torch_cpu"));
    }

    private IllegalStateException wrong(String why) {
        return new IllegalStateException(
                "%s is %s, %s: set it to the folder torch/lib of PyTorch %s"
                        .formatted(VARIABLE, path, why, VERSION));
    }

    /** The version, from pip's package, libtorch's archive, or the name of a library. */
    private Optional<String> version() {
        Path above = path.resolve("..").normalize();
        Path archives = above.resolve("build-version");
        Path pips = above.resolve("version.py");
        try {
            if (Files.exists(archives)) {
                return Optional.of(Files.readString(archives).strip());
            }
            Matcher found = PIPS.matcher(Files.exists(pips) ? Files.readString(pips) : "");
            if (!found.find()) {
                found = NAMED.matcher(library().toRealPath().toString());
            }
            return found.find(0) ? Optional.of(found.group(1)) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the version of PyTorch in " + above, e);
        }
    }
}
