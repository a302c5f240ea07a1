package dev.levee.jobs.internal.report.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

class EstimateFilesTest {
    private static final Map<String, Object> CONFIGURATION = Map.of("model", "plr", "seed", 1L);

    @TempDir Path directory;

    @BeforeEach
    void write() throws IOException {
        Files.writeString(
                directory.resolve("summary.json"),
                "{\"configuration\": {\"model\": \"plr\", \"seed\": 1}}");
    }

    @Test
    void theSameOptionsMayWriteAgain() throws IOException {
        String given = directory.toString();
        assertThatCode(() -> EstimateFiles.check(given, given, CONFIGURATION, false))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> EstimateFiles.check(given, given, Map.of("model", "irm"), false))
                .hasMessageStartingWith("--output %s holds the results of".formatted(given));
    }

    /** A summary means that the estimate has ended, so a job that runs has none. */
    @Test
    void anEstimateThatStartsForgetsItsSummary() throws IOException {
        EstimateFiles.forget(directory.toString());
        assertThat(EstimateFiles.read(directory.toString())).isEmpty();
    }
}
