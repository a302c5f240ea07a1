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

    private boolean remains(Map<String, Object> configuration, boolean resumed) throws IOException {
        EstimateFiles.forget(directory.toString(), configuration, resumed);
        return EstimateFiles.read(directory.toString()).isPresent();
    }

    @Test
    void theSameOptionsMayWriteAgain() throws IOException {
        String given = directory.toString();
        assertThatCode(() -> EstimateFiles.check(given, given, CONFIGURATION, false))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> EstimateFiles.check(given, given, Map.of("model", "irm"), false))
                .hasMessageStartingWith("--output %s holds the results of".formatted(given));
    }

    /** A checkpoint that has all repetitions does not write them again. */
    @Test
    void aResumedEstimateKeepsItsSummary() throws IOException {
        assertThat(remains(CONFIGURATION, true)).isTrue();
        assertThat(remains(CONFIGURATION, false)).isFalse();
    }

    @Test
    void aResumedEstimateForgetsTheSummaryOfAnother() throws IOException {
        assertThat(remains(Map.of("model", "irm", "seed", 1L), true)).isFalse();
    }
}
