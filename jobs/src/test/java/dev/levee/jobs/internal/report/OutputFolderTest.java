package dev.levee.jobs.internal.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.jobs.internal.report.summary.MetricsCsv;
import dev.levee.jobs.internal.report.summary.Summary;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

class OutputFolderTest {
    @TempDir Path directory;
    private OutputLayout layout;
    private Map<String, Object> median;
    private Map<String, Object> average;

    @BeforeEach
    void twoRuns() {
        layout = OutputLayout.of(directory.toString(), List.of("median", "average"));
        median = new LinkedHashMap<>(Map.of("aggregator", "median"));
        average = new LinkedHashMap<>(Map.of("aggregator", "average"));
    }

    private void check(boolean resumed) throws IOException {
        new OutputFolder("out", layout).check(List.of(median, average), resumed);
    }

    private void touch(String file) throws IOException {
        Path path = directory.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, "x");
    }

    @Test
    void whatARunLeavesBeforeItEndsIsItsOwn() throws IOException {
        check(false);
        touch("levee.log");
        touch("control.json");
        touch(".metrics.csv.0b1f");
        touch("model.npz");
        touch("average/metrics.csv");
        touch("checkpoints/average/0123/chk-7/_metadata");
        check(false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"thesis.txt", "krum", "checkpoints/thesis.txt", "average/.ssh"})
    void anythingElseIsNamed(String foreign) throws IOException {
        touch(foreign.equals("krum") ? "krum/summary.json" : foreign);
        for (boolean resumed : List.of(true, false)) {
            assertThatThrownBy(() -> check(resumed))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "--output out holds "
                                    + foreign
                                    + ", which a run would not have written: choose an empty"
                                    + " folder, or pass --overwrite to write there anyway");
        }
    }

    @Test
    void resultsOfARunWithOtherOptionsAreNotReplaced() throws IOException {
        new RunFiles(layout.directory(1))
                .write(
                        Summary.of(Runs.PROVENANCE, average, null, Runs.result()),
                        MetricsCsv.of(Runs.result()),
                        List.of());
        check(false);
        average.put("seed", 2);
        assertThatThrownBy(() -> check(false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "--output out holds the results of a run with other options: choose"
                                + " another folder, or pass --overwrite to replace them");
        assertThatCode(() -> check(true)).doesNotThrowAnyException();
    }

    @Test
    void aSummaryOfAnotherProgramIsNotReplaced() throws IOException {
        touch("average/summary.json");
        Files.writeString(directory.resolve("average/summary.json"), "{\"seed\": 1}");
        assertThatThrownBy(() -> check(false))
                .hasMessage(
                        "--output out holds a summary.json that no training has written: choose"
                                + " another folder, or pass --overwrite to replace it");
    }

    @Test
    void runsOfTheSameSecondHaveFoldersOfTheirOwn() throws IOException {
        OutputLayout second =
                OutputLayout.of(directory.resolve("runs/now-median").toString(), List.of("median"));
        for (String name : List.of("now-median", "now-median-2", "now-median-3")) {
            OutputLayout own = second.reserved();
            assertThat(own.directory(0)).isEqualTo(directory.toUri() + "runs/" + name);
            assertThat(directory.resolve("runs").resolve(name)).isEmptyDirectory();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"my runs", "100% + ü#?", "a%20b"})
    void aNameOfAnyCharactersIsOneFolder(String name) throws IOException {
        Path folder = directory.resolve(name);
        String root = OutputLayout.of(folder.toString(), List.of("median")).directory(0);
        new RunFiles(root).writeText("model.txt", "x");
        assertThat(folder.resolve("model.txt")).exists();
        assertThat(Path.of(OutputLayout.uri(root))).isEqualTo(folder);
        assertThat(Path.of(OutputLayout.uri(OutputLayout.reserve(root + "/own"))))
                .isEqualTo(folder.resolve("own"));
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void whatCannotBeListedIsAnError() {
        assertThatThrownBy(
                        () ->
                                OutputFolder.names(
                                        new org.apache.flink.core.fs.Path("file:///dev/null")))
                .isInstanceOf(IOException.class)
                .hasMessage("/dev/null cannot be listed");
    }

    /** A listing that is not repeated fails within some hundred files. */
    @Test
    void filesThatGetTheirNamesMeanwhileAreNoFault() throws Exception {
        RunFiles files = new RunFiles(directory.toUri().toString());
        CompletableFuture<Void> writer =
                CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < 500; i++) {
                                try {
                                    files.writeText(i % 50 + ".json", "{}");
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            }
                        });
        while (!writer.isDone()) {
            OutputFolder.names(new org.apache.flink.core.fs.Path(directory.toUri()));
        }
        writer.get();
        assertThat(OutputFolder.names(new org.apache.flink.core.fs.Path(directory.toUri())))
                .hasSize(50);
    }
}
