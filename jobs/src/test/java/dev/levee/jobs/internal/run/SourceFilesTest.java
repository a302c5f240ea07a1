package dev.levee.jobs.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.report.Tracking;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

class SourceFilesTest {
    @TempDir Path directory;
    private Path net;
    private Path data;
    private Path run;

    @BeforeEach
    void start() throws IOException {
        net = Files.writeString(directory.resolve("my net.py"), "model = None\n");
        data = Files.writeString(directory.resolve("data.py"), "def data(id, of): pass\n");
        run = directory.resolve("run");
        record(digests());
    }

    private void record(Map<String, String> sources) throws IOException {
        new RunFiles(run.toString())
                .write(
                        new RunRecord(
                                List.of("train"),
                                "2026-01-01T00:00:00Z",
                                "http://127.0.0.1:1",
                                true,
                                10,
                                null,
                                null,
                                OutputLayout.absolute(directory + "/elsewhere"),
                                false,
                                false,
                                Tracking.NONE,
                                null,
                                sources,
                                7850,
                                null,
                                List.of()));
    }

    private Map<String, String> digests() throws IOException {
        return SourceFiles.digests(
                "python:" + net + "?python=/usr/bin/python3", "python:" + data + "?participants=3");
    }

    private List<String> edited(Path resume, Path root) throws IOException {
        return SourceFiles.edited(digests(), resume.toString(), root.toString());
    }

    @Test
    void aFileThatIsTheSameIsNotMentioned() throws IOException {
        assertThat(digests()).containsOnlyKeys(net.toString(), data.toString());
        assertThat(edited(run, run)).isEmpty();
    }

    @Test
    void anEditedFileIsTold() throws IOException {
        Files.writeString(net, "model = 1\n");
        String sentence =
                net
                        + " has changed since this run last started; the run continues with the"
                        + " changed file, so its model may differ";
        assertThat(edited(run, run)).containsExactly(sentence);
        Files.writeString(data, "def data(id, of): return None\n");
        assertThat(edited(run, run)).hasSize(2).contains(sentence);
    }

    @Test
    void theRecordIsWhereTheRunContinuesFromOrElseInItsOutput() throws IOException {
        Files.writeString(net, "model = 1\n");
        Path elsewhere = Files.createDirectories(directory.resolve("elsewhere/median/0123/chk-7"));
        Path own = Files.createDirectories(run.resolve("checkpoints/median/0123/chk-7"));
        assertThat(edited(own, directory.resolve("new"))).hasSize(1);
        assertThat(edited(elsewhere, run)).hasSize(1);
        Path unrelated = Files.createDirectories(directory.resolve("other/median/0123/chk-7"));
        assertThat(edited(unrelated, run)).isEmpty();
        assertThat(edited(elsewhere, directory.resolve("new"))).isEmpty();
    }

    @Test
    void aModelOfAnotherSizeIsRefused() throws IOException {
        LeftFolder.requireSize(run.toString(), run.toString(), 7850);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeftFolder.requireSize(run.toString(), run.toString(), 3985))
                .withMessage(
                        "--resume %s is a run of a model with 7850 parameters, and this one has"
                                + " 3985",
                        run);
    }

    @Test
    void nothingIsToldOfAFileThatTheRunDidNotHave() throws IOException {
        record(Map.of());
        assertThat(edited(run, run)).isEmpty();
        assertThat(SourceFiles.digests("mnist-cnn", "strokes:?train=10")).isEmpty();
    }
}
