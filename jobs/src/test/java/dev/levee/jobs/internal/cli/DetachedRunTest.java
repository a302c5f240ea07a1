package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.cluster.Home;
import dev.levee.k8s.flink.rest.Await;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs that are left to a real cluster, and who comes back to them. */
@Tag("cluster")
class DetachedRunTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir static Path directory;
    private static LocalCluster cluster;

    @BeforeAll
    static void start() throws IOException {
        cluster =
                LocalCluster.start(
                        new LocalCluster.Options(
                                directory.resolve("cluster"),
                                Home.find().clusterClassPath(),
                                1,
                                2,
                                0,
                                256,
                                Map.of()));
    }

    @AfterAll
    static void stop() throws IOException {
        cluster.close();
    }

    private static CommandLineRun detach(Path output, String... more) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "train",
                                "--detach",
                                "--target=" + cluster.restUrl(),
                                "--dataset=strokes:?train=500&test=100",
                                "--model=logistic",
                                "--output=" + output));
        arguments.addAll(List.of(more));
        return CommandLineRun.of(arguments.toArray(String[]::new));
    }

    @Test
    void whoComesBackSeesTheReport() throws IOException {
        Path output = directory.resolve("short");
        CommandLineRun left = detach(output, "--rounds=30");
        assertThat(left.code()).as(left.err()).isZero();
        assertThat(left.out()).startsWith("Come back with:  levee attach " + output);

        CommandLineRun attached = CommandLineRun.of("attach", output.toString());
        assertThat(attached.code()).as(attached.err()).isZero();
        assertThat(attached.out())
                .contains("multi-krum", "average", "Report: " + output.resolve("report.html"));
        assertThat(CommandLineRun.of("attach", output.toString()).out()).isEqualTo(attached.out());
        CommandLineRun status = CommandLineRun.of("status", output.toString());
        assertThat(status.code()).isZero();
        assertThat(status.out()).contains("multi-krum  FINISHED  30 rounds, accuracy ");
        JsonNode provenance =
                new ObjectMapper()
                        .readTree(Files.readString(output.resolve("summary.json")))
                        .path("provenance");
        assertThat(provenance.path("finished").asText())
                .isGreaterThanOrEqualTo(provenance.path("started").asText())
                .endsWith("Z");
    }

    @Test
    void aCancelledRunSaysHowItGoesOn() {
        Path output = directory.resolve("long");
        CommandLineRun left =
                detach(
                        output,
                        "--aggregator=median",
                        "--rounds=1000000",
                        "--checkpoint-interval=200ms");
        assertThat(left.code()).as(left.err()).isZero();
        assertThat(CommandLineRun.of("status", output.toString()).code()).isZero();
        boolean checkpointed =
                Await.until(
                        PATIENCE,
                        () -> {
                            try (var files = Files.walk(output)) {
                                return files.anyMatch(each -> each.endsWith("_metadata"));
                            }
                        });
        assertThat(checkpointed).isTrue();

        CommandLineRun cancelled = CommandLineRun.of("cancel", output.toString());
        assertThat(cancelled.code()).as(cancelled.err()).isZero();
        assertThat(cancelled.err())
                .startsWith("Cancelled its job. Go on with: levee train --target=")
                .endsWith("--output " + output + " --resume " + output + "/checkpoints\n")
                .doesNotContain("--detach");
        assertThat(CommandLineRun.of("cancel", output.toString()).err())
                .isEqualTo("Nothing to cancel: no job of it runs.\n");
        CommandLineRun status = CommandLineRun.of("status", output.toString());
        assertThat(status.code()).isEqualTo(1);
        assertThat(status.out()).contains("median  CANCELED");
        CommandLineRun attached = CommandLineRun.of("attach", output.toString());
        assertThat(attached.code()).isEqualTo(1);
        assertThat(attached.err()).contains("the job of median was cancelled. Go on with: levee");
    }

    private static CommandLineRun detachStudy(Path output, int rounds) throws IOException {
        Path grid = directory.resolve("grid.yaml");
        Files.writeString(
                grid,
                """
                dataset: strokes:?train=500&test=100
                model: logistic
                aggregator: [median, average]
                rounds: %d
                """
                        .formatted(rounds));
        return CommandLineRun.of(
                "study",
                grid.toString(),
                "--detach",
                "--target=" + cluster.restUrl(),
                "--output=" + output);
    }

    @Test
    void whoComesBackToAStudyWritesItsReport() throws IOException {
        Path output = directory.resolve("short-study");
        CommandLineRun left = detachStudy(output, 10);
        assertThat(left.code()).as(left.err()).isZero();
        assertThat(left.out()).startsWith("Come back with:  levee attach " + output);

        CommandLineRun attached = CommandLineRun.of("attach", output.toString());
        assertThat(attached.code()).as(attached.err()).isZero();
        assertThat(attached.out()).contains("worst case", "median", "average");
        assertThat(attached.err()).endsWith("Report: " + output + "/report.html\n");
        CommandLineRun status = CommandLineRun.of("status", output.toString());
        assertThat(status.code()).isZero();
        assertThat(status.out()).contains("study  FINISHED  2 of 2 cells");
    }

    @Test
    void aCancelledStudySaysHowItGoesOn() throws IOException {
        Path output = directory.resolve("long-study");
        CommandLineRun left = detachStudy(output, 1_000_000);
        assertThat(left.code()).as(left.err()).isZero();
        CommandLineRun cancelled = CommandLineRun.of("cancel", output.toString());
        assertThat(cancelled.code()).as(cancelled.err()).isZero();
        assertThat(cancelled.err())
                .startsWith("Cancelled its job. Go on with: levee study ")
                .contains("--output " + output)
                .doesNotContain("--detach");
        CommandLineRun status = CommandLineRun.of("status", output.toString());
        assertThat(status.code()).isEqualTo(1);
        assertThat(status.out()).contains("study  CANCELED");
    }

    private static CommandLineRun detachEstimate(Path output, String... more) throws IOException {
        StringBuilder csv = new StringBuilder("y,d,x\n");
        for (int i = 0; i < 200; i++) {
            double x = Math.sin(i);
            double d = x + Math.cos(7 * i);
            csv.append(2 * d + x + Math.sin(31 * i)).append(',').append(d).append(',');
            csv.append(x).append('\n');
        }
        Path table = Files.writeString(directory.resolve("table.csv"), csv);
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "estimate",
                                "--detach",
                                "--target=" + cluster.restUrl(),
                                "--data=csv:" + table,
                                "--outcome=y",
                                "--treatment=d",
                                "--output=" + output));
        arguments.addAll(List.of(more));
        return CommandLineRun.of(arguments.toArray(String[]::new));
    }

    @Test
    void whoComesBackToAnEstimateSeesItsTable() throws IOException {
        Path output = directory.resolve("effect");
        CommandLineRun left = detachEstimate(output, "--repetitions=2");
        assertThat(left.code()).as(left.err()).isZero();
        assertThat(left.out()).startsWith("Come back with:  levee attach " + output);

        CommandLineRun attached = CommandLineRun.of("attach", output.toString());
        assertThat(attached.code()).as(attached.err()).isZero();
        assertThat(attached.out()).containsPattern("(?m)^d +[12]\\.\\d{6} ");
        assertThat(attached.err()).endsWith("Report: " + output + "/report.html\n");
        assertThat(output.resolve("checkpoints")).doesNotExist();
        assertThat(CommandLineRun.of("attach", output.toString()).out()).isEqualTo(attached.out());
        CommandLineRun status = CommandLineRun.of("status", output.toString());
        assertThat(status.code()).isZero();
        assertThat(status.out())
                .containsPattern("plr-\\w+  FINISHED  d [12]\\.\\d+ \\(standard error 0");
        assertThat(CommandLineRun.of("cancel", output.toString()).err())
                .isEqualTo("Nothing to cancel: no job of it runs.\n");
        assertThat(CommandLineRun.of("runs", output.toString()).out()).doesNotContain("plr-");
    }

    @Test
    void aCancelledEstimateSaysHowItGoesOn() throws IOException {
        Path output = directory.resolve("effects");
        CommandLineRun left =
                detachEstimate(
                        output,
                        "--repetitions=100000",
                        "--learner=forest",
                        "--elastic=min=1,max=2",
                        "--checkpoint-interval=200ms");
        assertThat(left.code()).as(left.err()).isZero();
        boolean checkpointed =
                Await.until(
                        PATIENCE,
                        () -> {
                            try (var files = Files.walk(output)) {
                                return files.anyMatch(each -> each.endsWith("_metadata"));
                            }
                        });
        assertThat(checkpointed).isTrue();
        CommandLineRun status = CommandLineRun.of("status", output.toString());
        assertThat(status.code()).isZero();
        assertThat(status.out())
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

        CommandLineRun cancelled = CommandLineRun.of("cancel", output.toString());
        assertThat(cancelled.code()).as(cancelled.err()).isZero();
        assertThat(cancelled.err())
                .startsWith("Cancelled its job. Go on with: levee estimate --target=")
                .endsWith("--output " + output + " --resume " + output + "/checkpoints\n")
                .doesNotContain("--detach");
        status = CommandLineRun.of("status", output.toString());
        assertThat(status.code()).isEqualTo(1);
        assertThat(status.out()).containsPattern("plr-\\w+  CANCELED");
        CommandLineRun attached = CommandLineRun.of("attach", output.toString());
        assertThat(attached.code()).isEqualTo(1);
        assertThat(attached.err()).contains(" was cancelled. Go on with: levee estimate");
    }

    @Test
    void aFolderOfNoRunIsWrongUsage() {
        for (String command : List.of("attach", "status", "cancel")) {
            CommandLineRun run = CommandLineRun.of(command, directory.toString());
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.sentence())
                    .isEqualTo(
                            directory
                                    + " is no folder of a run, for there is no run.json in it; levee"
                                    + " runs lists those below a folder");
        }
        assertThat(CommandLineRun.of("train", "--detach", "--model=logistic").sentence())
                .startsWith("--detach needs a cluster that outlives this command");
    }
}
