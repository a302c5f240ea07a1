package dev.levee.jobs.internal.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.cli.CommandLineRun;
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

class ResumedCommandTest {
    private static final List<String> STARTED =
            List.of(
                    "train",
                    "--detach",
                    "--workers=7",
                    "--byzantine=2",
                    "--overwrite",
                    "--aggregator",
                    "median",
                    "--aggregator=clip(2) | trimmed-mean",
                    "--output",
                    "elsewhere",
                    "--resume=before");

    @TempDir Path directory;
    private Path run;

    @BeforeEach
    void start() throws IOException {
        run = record("run", STARTED, true);
    }

    private Path record(String name, List<String> arguments, boolean ownCheckpoints)
            throws IOException {
        Path folder = directory.resolve(name);
        new RunFiles(folder.toString())
                .write(
                        new RunRecord(
                                arguments,
                                "2026-01-01T00:00:00Z",
                                "http://127.0.0.1:1",
                                true,
                                10,
                                null,
                                null,
                                ownCheckpoints ? folder + "/checkpoints" : "hdfs://there/all",
                                ownCheckpoints,
                                false,
                                Tracking.NONE,
                                null,
                                Map.of(),
                                null,
                                null,
                                List.of()));
        return folder;
    }

    private static CommandLineRun dryRun(String command, String... options) {
        String[] all = new String[options.length + 2];
        all[0] = command;
        all[1] = "--dry-run";
        System.arraycopy(options, 0, all, 2, options.length);
        return CommandLineRun.of(all);
    }

    private static String resolved(String... options) {
        CommandLineRun dry = dryRun("train", options);
        assertThat(dry.code()).as(dry.err()).isZero();
        return dry.out();
    }

    @Test
    void whatIsNotGivenIsAsInTheRun() {
        assertThat(resolved("--resume", run.toString()))
                .contains("workers: 7\n", "aggregator:\n  - median\n  - clip(2) | trimmed-mean\n")
                .contains("output: " + run + "\n", "resume: " + run + "\n")
                .isEqualTo(
                        CommandLineRun.of(
                                        "train",
                                        "--dry-run",
                                        "--workers=7",
                                        "--byzantine=2",
                                        "--overwrite",
                                        "--aggregator=median",
                                        "--aggregator=clip(2) | trimmed-mean",
                                        "--output=" + run,
                                        "--resume=" + run)
                                .out());
    }

    @Test
    void whatIsTakenFromTheRunIsTold() {
        assertThat(dryRun("train", "--resume=" + run, "--aggregator=median").err())
                .isEqualTo("With the options of the run: --workers=7 --byzantine=2 --overwrite\n");
    }

    @Test
    void whatIsGivenReplacesWhatTheRunHad() {
        assertThat(
                        resolved(
                                "--resume=" + run,
                                "--aggregator=average",
                                "--output=new",
                                "--rounds=9"))
                .contains("aggregator:\n  - average\n", "rounds: 9\n", "output: new\n")
                .contains("workers: 7\n")
                .doesNotContain("median");
    }

    @Test
    void filesOfAnotherFolderAreNotOverwrittenUnasked() {
        assertThat(dryRun("train", "--resume=" + run, "--output=new").err())
                .contains("--byzantine=2")
                .doesNotContain("--overwrite");
    }

    @Test
    void aCheckpointInTheFolderOfARunIsOneOfIt() throws IOException {
        Path checkpoint = Files.createDirectories(run.resolve("checkpoints/median/0123/chk-7"));
        assertThat(resolved("--resume", checkpoint.toString()))
                .contains("workers: 7\n", "output: " + run + "\n", "resume: " + checkpoint + "\n");
        assertThat(resolved("--resume", directory.toString())).contains("workers: 11\n");
    }

    @Test
    void anOptionOfTheRunThatIsNoLongerKnownIsNotTheUsers() throws IOException {
        Path old = record("old", List.of("train", "--workers=7", "--speed=3"), true);
        CommandLineRun refused = dryRun("train", "--resume=" + old);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err().strip())
                .isEqualTo(
                        "--resume "
                                + old
                                + ": this version refuses an option with which the run was started"
                                + " (Unknown option: '--speed=3'); give the run's options with"
                                + " --config instead");
        Path options = Files.writeString(directory.resolve("options.yaml"), "workers: 9\n");
        assertThat(resolved("--resume=" + old, "--config=" + options)).contains("workers: 9\n");
    }

    @Test
    void aRunMayHaveItsCheckpointsElsewhere() throws IOException {
        Path far = record("far", STARTED, false);
        assertThat(resolved("--resume", far.toString())).contains("resume: hdfs://there/all\n");
    }

    @Test
    void aFileOfOptionsIsWhole() throws IOException {
        Path options = Files.writeString(directory.resolve("options.yaml"), "byzantine: 1\n");
        assertThat(resolved("--resume=" + run, "--config=" + options))
                .contains("byzantine: 1\n", "workers: 11\n")
                .doesNotContain("output: ");
    }

    @Test
    void aRunGoesOnWithItsOwnCommand() {
        CommandLineRun other = dryRun("federate", "--resume", run.toString());
        assertThat(other.code()).isEqualTo(2);
        assertThat(other.err())
                .startsWith("--resume " + run + " is a run of levee train, not of levee federate");
    }
}
