package dev.levee.jobs.internal.placement;

import dev.levee.operators.placement.graph.OperatorGraph;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Reads a TorchScript module as a graph of its operators. The user's Python interpreter measures
 * them, because PyTorch for Java runs such a file only as a whole.
 */
public final class TorchFile {
    private static final String SCRIPT = script();

    private TorchFile() {}

    /**
     * Measures a training step.
     *
     * @param interpreter a Python interpreter with PyTorch
     * @param shape shape of a step's batch
     * @param vectors number of values that the optimizer keeps for each trained parameter
     * @throws IllegalArgumentException if the file does not exist, or the interpreter cannot be
     *     started or cannot run the module on such a batch; one sentence
     */
    public static OperatorGraph measure(Path file, String interpreter, int[] shape, int vectors) {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("there is no file " + file);
        }
        Path folder = temporary();
        Path graph = folder.resolve("graph.json");
        Path said = folder.resolve("said");
        ProcessBuilder command =
                new ProcessBuilder(
                        interpreter,
                        "-c",
                        SCRIPT,
                        file.toString(),
                        Arrays.stream(shape)
                                .mapToObj(Integer::toString)
                                .collect(Collectors.joining(",")),
                        Integer.toString(vectors),
                        graph.toString());
        command.environment().put("PYTHONIOENCODING", "utf-8");
        command.redirectErrorStream(true).redirectOutput(said.toFile());
        Process process = null;
        try {
            process = command.start();
            if (process.waitFor() != 0) {
                throw new IllegalArgumentException(
                        "--graph %s: %s cannot measure it on samples of %s: %s"
                                .formatted(file, interpreter, Arrays.toString(shape), last(said)));
            }
            return GraphFile.read(graph);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "--python %s cannot be started: %s".formatted(interpreter, e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while Python measured " + file, e);
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
            delete(graph, said, folder);
        }
    }

    private static String last(Path said) throws IOException {
        return Files.readString(said)
                .lines()
                .filter(line -> !line.isBlank())
                .reduce("", (before, line) -> line);
    }

    private static String script() {
        try (InputStream in = TorchFile.class.getResourceAsStream("placement.py")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path temporary() {
        try {
            return Files.createTempDirectory("levee-torch-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path... paths) {
        try {
            for (Path each : paths) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
