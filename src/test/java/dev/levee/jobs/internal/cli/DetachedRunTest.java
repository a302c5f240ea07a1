package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.SharedCluster;
import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.k8s.flink.rest.Await;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs that are left to a real cluster, and who comes back to them. */
@ExtendWith(SharedCluster.class)
public abstract class DetachedRunTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @TempDir static Path directory;
    private static LocalCluster cluster;

    @BeforeAll
    static void start(LocalCluster shared) {
        cluster = shared;
    }

    private static void detach(String command, Path output, List<String> arguments) {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                command,
                                "--detach",
                                "--target=" + cluster.restUrl(),
                                "--output=" + output));
        all.addAll(arguments);
        CommandLineRun left = CommandLineRun.of(all.toArray(String[]::new));
        assertThat(left.code()).as(left.err()).isZero();
        assertThat(left.out()).startsWith("Reattach with:       levee attach " + output);
    }

    private static void train(Path output, String... more) {
        List<String> arguments =
                new ArrayList<>(
                        List.of("--dataset=strokes:?train=500&test=100", "--model=logistic"));
        arguments.addAll(List.of(more));
        detach("train", output, arguments);
    }

    private static void estimate(Path output, String... more) throws IOException {
        StringBuilder csv = new StringBuilder("y,d,x\n");
        for (int i = 0; i < 200; i++) {
            double x = Math.sin(i);
            double d = x + Math.cos(7 * i);
            csv.append(2 * d + x + Math.sin(31 * i)).append(',').append(d).append(',');
            csv.append(x).append('\n');
        }
        Path table = Files.writeString(directory.resolve("table.csv"), csv);
        List<String> arguments =
                new ArrayList<>(List.of("--data=csv:" + table, "--outcome=y", "--treatment=d"));
        arguments.addAll(List.of(more));
        detach("estimate", output, arguments);
    }

    /** Comes back twice, which shows the same. */
    private static CommandLineRun attach(Path output) {
        CommandLineRun attached = CommandLineRun.of("attach", output.toString());
        assertThat(attached.code()).as(attached.err()).isZero();
        assertThat(CommandLineRun.of("attach", output.toString()).out()).isEqualTo(attached.out());
        return attached;
    }

    private static String status(Path output, int code) {
        CommandLineRun status = CommandLineRun.of("status", output.toString());
        assertThat(status.code()).isEqualTo(code);
        return status.out();
    }

    private static void awaitCheckpoint(Path output) {
        boolean checkpointed =
                Await.until(
                        PATIENCE,
                        () -> {
                            try (var files = Files.walk(output)) {
                                return files.anyMatch(each -> each.endsWith("_metadata"));
                            } catch (UncheckedIOException e) {
                                // Flink has deleted a folder meanwhile.
                                return false;
                            }
                        });
        assertThat(checkpointed).isTrue();
    }

    /** Cancels a run, which says how it continues, and so does whoever comes back to it. */
    private static void cancel(String command, Path output) {
        CommandLineRun cancelled = CommandLineRun.of("cancel", output.toString());
        assertThat(cancelled.code()).as(cancelled.err()).isZero();
        assertThat(cancelled.err())
                .startsWith("Canceled its job. Continue with: levee " + command + " --target=")
                .endsWith("--output " + output + " --resume " + output + "/checkpoints\n")
                .doesNotContain("--detach");
        CommandLineRun attached = CommandLineRun.of("attach", output.toString());
        assertThat(attached.code()).isEqualTo(1);
        assertThat(attached.err()).contains(" was canceled. Continue with: levee " + command);
    }

    private static void nothingToCancel(Path output) {
        assertThat(CommandLineRun.of("cancel", output.toString()).err())
                .isEqualTo("Nothing to cancel: the run has no running job.\n");
    }

    @Test
    void whoComesBackSeesTheReportOfTheBitsOfARunInOneProcess() throws IOException {
        Path output = directory.resolve("short");
        train(output, "--rounds=30");
        assertThat(attach(output).out())
                .contains("multi-krum", "average", "Report: " + output.resolve("report.html"));
        assertThat(status(output, 0)).contains("multi-krum  FINISHED  30 rounds, accuracy ");
        JsonNode provenance =
                new ObjectMapper()
                        .readTree(Files.readString(output.resolve("summary.json")))
                        .path("provenance");
        assertThat(provenance.path("finished").asText())
                .isGreaterThanOrEqualTo(provenance.path("started").asText())
                .endsWith("Z");
        Path embedded = directory.resolve("embedded");
        CommandLineRun alone =
                CommandLineRun.of(
                        "train",
                        "--dataset=strokes:?train=500&test=100",
                        "--model=logistic",
                        "--rounds=30",
                        "--parallelism=3",
                        "--web-port=0",
                        "--output=" + embedded);
        assertThat(alone.code()).as(alone.err()).isZero();
        assertThat(parameters(output)).hasSize(2).isEqualTo(parameters(embedded));
    }

    private static List<String> parameters(Path output) throws IOException {
        return RunFiles.complete(
                        OutputLayout.of(output.toString(), List.of("multi-krum", "average")))
                .stream()
                .map(each -> each.summary().parametersSha256())
                .toList();
    }

    @Test
    void aCancelledRunSaysHowItGoesOn() {
        Path output = directory.resolve("long");
        train(output, "--aggregator=median", "--rounds=1000000", "--checkpoint-interval=200ms");
        status(output, 0);
        awaitCheckpoint(output);
        CommandLineRun second =
                CommandLineRun.of(
                        "train",
                        "--target=" + cluster.restUrl(),
                        "--output=" + output,
                        "--dataset=strokes:?train=500&test=100",
                        "--model=logistic");
        cancel("train", output);
        nothingToCancel(output);
        assertThat(second.code()).isEqualTo(2);
        assertThat(second.sentence())
                .startsWith("--output " + output + " belongs to a run that has not ended (");
        assertThat(status(output, 1)).contains("median  CANCELED");
    }

    private static void study(Path output, int rounds) throws IOException {
        Path grid =
                Files.writeString(
                        directory.resolve("grid.yaml"),
                        """
                        dataset: strokes:?train=500&test=100
                        model: logistic
                        aggregator: [median, average]
                        rounds: %d
                        """
                                .formatted(rounds));
        detach("study", output, List.of(grid.toString()));
    }

    @Test
    void whoComesBackToAStudyWritesItsReport() throws IOException {
        Path output = directory.resolve("short-study");
        study(output, 10);
        CommandLineRun attached = attach(output);
        assertThat(attached.out()).contains("worst case", "median", "average");
        assertThat(attached.err()).endsWith("Report: " + output + "/report.html\n");
        assertThat(status(output, 0)).contains("study  FINISHED  2 of 2 cells");
    }

    @Test
    void aCancelledStudySaysHowItGoesOn() throws IOException {
        Path output = directory.resolve("long-study");
        study(output, 1_000_000);
        CommandLineRun cancelled = CommandLineRun.of("cancel", output.toString());
        assertThat(cancelled.code()).as(cancelled.err()).isZero();
        assertThat(cancelled.err())
                .startsWith("Canceled its job. Continue with: levee study ")
                .contains("--output " + output)
                .doesNotContain("--detach");
        assertThat(status(output, 1)).contains("study  CANCELED");
    }

    @Test
    void whoComesBackToAnEstimateSeesItsTable() throws IOException {
        Path output = directory.resolve("effect");
        estimate(output, "--repetitions=2");
        CommandLineRun attached = attach(output);
        assertThat(attached.out()).containsPattern("(?m)^d +[12]\\.\\d{6} ");
        assertThat(attached.err()).endsWith("Report: " + output + "/report.html\n");
        assertThat(output.resolve("checkpoints")).doesNotExist();
        assertThat(status(output, 0))
                .containsPattern("plr-\\w+  FINISHED  d [12]\\.\\d+ \\(standard error 0");
        nothingToCancel(output);
        assertThat(CommandLineRun.of("runs", output.toString()).out()).doesNotContain("plr-");
    }

    @Test
    void aCancelledEstimateSaysHowItGoesOn() throws IOException {
        Path output = directory.resolve("effects");
        estimate(
                output,
                "--repetitions=100000",
                "--learner=forest",
                "--elastic=min=1,max=2",
                "--checkpoint-interval=200ms");
        awaitCheckpoint(output);
        assertThat(status(output, 0))
                .containsPattern(
                        "plr-\\w+  RUNNING  [\\d,]+ of 1,000,000 fits, [\\d,]+ of 100,000"
                                + " repetitions");
        CommandLineRun shared =
                CommandLineRun.of(
                        "allocate",
                        "--target=" + cluster.restUrl(),
                        "--dry-run",
                        "--once",
                        "--store=" + directory.resolve("allocator.json"));
        assertThat(shared.code()).as(shared.err()).isZero();
        assertThat(shared.out()).contains("1 to 2 allowed");

        cancel("estimate", output);
        assertThat(status(output, 1)).containsPattern("plr-\\w+  CANCELED");
    }

    @Test
    void aFolderOfNoRunIsWrongUsage() {
        for (String command : List.of("attach", "status", "cancel")) {
            CommandLineRun run = CommandLineRun.of(command, directory.toString());
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.sentence())
                    .isEqualTo(
                            directory
                                    + " is not a run folder: it has no run.json; levee runs DIR"
                                    + " lists the runs below DIR");
        }
        assertThat(CommandLineRun.of("train", "--detach", "--model=logistic").sentence())
                .startsWith("--detach needs a cluster that outlives this command");
    }
}
