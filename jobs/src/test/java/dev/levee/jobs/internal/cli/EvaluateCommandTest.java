package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class EvaluateCommandTest {
    @TempDir Path directory;

    private static String evaluate(Path path) {
        CommandLineRun run =
                CommandLineRun.of(
                        "evaluate",
                        path.toString(),
                        "--model=logistic",
                        "--dataset=strokes:?train=60&test=20");
        assertThat(run.code()).isEqualTo(2);
        return run.sentence();
    }

    @Test
    void aFileOfAnyNameIsAModelAndAFolderHoldsOne() throws IOException {
        Path file = Files.writeString(directory.resolve("weights.bin"), "no model");
        assertThat(evaluate(file))
                .isEqualTo(file + " is not a logistic: not an npz file, or an empty one");
        assertThat(evaluate(directory)).isEqualTo(directory + " has no model.npz");
    }
}
