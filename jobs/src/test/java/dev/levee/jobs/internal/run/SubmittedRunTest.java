package dev.levee.jobs.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.jobs.internal.report.FinishedRun;
import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.report.Tracking;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.jobs.internal.tracking.MlflowServer;
import dev.levee.jobs.internal.tracking.Trackers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;
import picocli.CommandLine.Command;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Runs that were submitted, without their jobs. */
class SubmittedRunTest {
    @Command
    private static final class Silent {}

    @TempDir Path directory;

    private RunRecord tell(Tracking tracking) throws IOException {
        RunRecord record =
                RunRecords.unreachable(
                        directory + "/checkpoints",
                        tracking,
                        new RunRecord.Job("average", null, null, null),
                        new RunRecord.Job("median", "01", null, null),
                        new RunRecord.Job("bulyan", "02", null, null));
        OutputLayout layout = record.layout(OutputLayout.absolute(directory.toString()));
        RunFiles files = new RunFiles(layout.root());
        files.write(record);
        run(layout, record).tellTrackers();
        return files.record().orElseThrow();
    }

    private static SubmittedRun run(OutputLayout layout, RunRecord record) {
        return new SubmittedRun(layout, record, silent());
    }

    static Terminal silent() {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return new Terminal(new CommandLine(new Silent()).setOut(nowhere).setErr(nowhere));
    }

    /** Another run has used the same directory. */
    @Test
    void aRunThatIsInterruptedBeforeItsFirstCheckpointHasNothingToContinueFrom()
            throws IOException {
        RunRecord record =
                RunRecords.unreachable(
                        OutputLayout.absolute(directory + "/shared"),
                        Tracking.NONE,
                        new RunRecord.Job("median", "01", null, null));
        SubmittedRun run = run(record.layout(OutputLayout.absolute(directory + "/out")), record);
        for (String job : List.of("02", "01")) {
            Path checkpoint = directory.resolve("shared/median/" + job + "/chk-1");
            assertThat(run.goOn(Optional.empty())).isEmpty();
            Files.createDirectories(checkpoint);
            Files.writeString(checkpoint.resolve("_metadata"), "any");
        }
        assertThat(run.goOn(Optional.empty()))
                .hasValue(
                        "levee train --output %s/out --resume %s/shared"
                                .formatted(directory, directory));
    }

    @Test
    void aFinishedRunDeletesTheCheckpointsOfAllItsJobs() throws IOException {
        RunRecord record =
                RunRecords.unreachable(
                        OutputLayout.absolute(directory + "/checkpoints"),
                        Tracking.NONE,
                        new RunRecord.Job("median", "03", null, null, List.of("02", "01")),
                        new RunRecord.Job("krum", null, null, null, List.of("04")),
                        new RunRecord.Job("bulyan", null, null, null, List.of("05")));
        OutputLayout layout = record.layout(OutputLayout.absolute(directory.toString()));
        FinishedRun.write(layout.directory(0));
        FinishedRun.write(layout.directory(1));
        Path checkpoints = directory.resolve("checkpoints");
        for (String each : "median/01 median/02 median/03 krum/04 bulyan/05".split(" ")) {
            Files.createDirectories(checkpoints.resolve(each + "/chk-1"));
        }
        Files.createDirectories(checkpoints.resolve("median/06"));
        assertThatThrownBy(run(layout, record)::conclude)
                .hasMessageContaining("before it had submitted bulyan");
        assertThat(checkpoints.resolve("krum")).doesNotExist();
        assertThat(checkpoints.resolve("median").toFile().list()).containsExactly("06");
        assertThat(checkpoints.resolve("bulyan/05")).exists();
    }

    @Test
    void trackersHearOfEachRunUntilTheyHaveReceivedAllResults() throws IOException {
        OutputLayout layout =
                OutputLayout.of(directory.toString(), List.of("average", "median", "bulyan"));
        try (MlflowServer server = new MlflowServer()) {
            Tracking tracking =
                    Trackers.begin(
                            new Tracking(null, server.address(), List.of(), false),
                            "levee",
                            layout,
                            new TreeMap<>(Map.of(1, Map.of(), 2, Map.of())));
            assertThat(tracking.mlflowRuns()).containsExactly("", "run00", "run01");
            FinishedRun.write(layout.directory(1));
            assertThat(tell(tracking).tracking().complete()).isFalse();
            assertThat(server.runs().get("run00").status()).isEqualTo("FINISHED");
            assertThat(server.runs().get("run01").status()).isEqualTo("FAILED");

            FinishedRun.write(layout.directory(2));
            Tracking away = new Tracking(null, "http://127.0.0.1:1", tracking.mlflowRuns(), false);
            assertThat(tell(away).tracking().complete()).isFalse();
            assertThat(tell(tracking).tracking().complete()).isTrue();
            assertThat(server.runs().get("run01").status()).isEqualTo("FINISHED");
        }
    }
}
