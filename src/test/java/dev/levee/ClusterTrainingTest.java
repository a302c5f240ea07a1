package dev.levee;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.cli.CommandLineRun;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Training on a real cluster of two TaskManager processes: whatever happens to the cluster on the
 * way, a synchronous run ends with the bits of a run that nobody disturbed.
 */
@ExtendWith(SharedCluster.class)
abstract class ClusterTrainingTest {
    private static final int ROUNDS = 60;

    @TempDir static Path directory;
    private static LocalCluster cluster;
    private static Pace pace;
    private static List<String> options;
    private static JsonNode undisturbed;

    @BeforeAll
    static void startAndTrainUndisturbed(LocalCluster shared) throws Exception {
        cluster = shared;
        pace = new Pace(directory.resolve("pace"));
        options =
                List.of(
                        "--target", cluster.restUrl().toString(),
                        "--dataset", "strokes:?train=2000&test=500",
                        "--model", pace.model(),
                        "--workers", "9",
                        "--byzantine", "3",
                        "--attack", "little-is-enough",
                        "--aggregator", "nnm | multi-krum",
                        "--batch-size", "50",
                        "--rounds", String.valueOf(ROUNDS),
                        "--checkpoint-interval", "250ms");
        Path output = directory.resolve("undisturbed");
        CommandRun run = train("undisturbed", "--parallelism", "2");
        assertThat(run.exitCode()).isZero();
        undisturbed = CommandRun.summary(output);
        assertThat(undisturbed.path("finalAccuracy").asDouble()).isGreaterThan(0.7);
    }

    private static CommandRun train(String output, String... own) {
        List<String> arguments = new ArrayList<>(List.of(own));
        arguments.add("--output");
        arguments.add(directory.resolve(output).toString());
        return CommandRun.train(options, arguments.toArray(String[]::new));
    }

    private void assertUndisturbed(CommandRun run, String output) throws Exception {
        pace.goOn();
        assertThat(run.exitCode()).isZero();
        JsonNode summary = CommandRun.summary(directory.resolve(output));
        assertThat(summary.path("roundsDone").asInt()).isEqualTo(ROUNDS);
        assertThat(summary.path("parametersSha256"))
                .isEqualTo(undisturbed.path("parametersSha256"));
        assertThat(summary.path("finalAccuracy")).isEqualTo(undisturbed.path("finalAccuracy"));
        for (int worker = 0; worker < 9; worker++) {
            assertThat(summary.path("workers").path(worker).path("selected"))
                    .isEqualTo(undisturbed.path("workers").path(worker).path("selected"));
        }
    }

    @Test
    void killedTaskManagersAndRescalingChangeNoBit() throws Exception {
        pace.millisecondsPerGradient(800);
        CommandRun run = train("disturbed", "--parallelism", "3");
        RunningJob job = RunningJob.await(cluster);
        job.awaitCheckpoints(1);
        assertThat(run.ended()).isFalse();
        TestCluster.killTaskManager(cluster);
        job.awaitParallelism(2);
        cluster.addTaskManager();
        job.awaitParallelism(3);
        for (int parallelism : new int[] {1, 4}) {
            job.rescale(parallelism);
            job.awaitParallelism(parallelism);
        }
        assertThat(run.ended()).isFalse();
        assertUndisturbed(run, "disturbed");
    }

    /** Four stages in four slots; two of them end with their TaskManager. */
    @Test
    @Tag("native")
    void aKilledTaskManagerChangesNoBitOfAPipeline() throws Exception {
        List<String> pipeline =
                List.of(
                        "--target", cluster.restUrl().toString(),
                        "--dataset", "strokes:?train=500&test=100",
                        "--model", "mnist-cnn",
                        "--workers", "1",
                        "--byzantine", "0",
                        "--attack", "none",
                        "--aggregator", "average",
                        "--batch-size", "16",
                        "--rounds", "600",
                        "--eval-interval", "600",
                        "--checkpoint-interval", "250ms");
        Path whole = directory.resolve("whole");
        CommandRun unsplit =
                CommandRun.train(
                        pipeline, "--micro-batch", "4", "--parallelism", "1", "--output=" + whole);
        assertThat(unsplit.exitCode()).isZero();

        Path staged = directory.resolve("staged");
        CommandRun run =
                CommandRun.train(
                        pipeline,
                        "--pipeline=4",
                        "--micro-batches=4",
                        "--parallelism=4",
                        "--output=" + staged);
        RunningJob.await(cluster).awaitCheckpoints(1);
        assertThat(run.ended()).isFalse();
        TestCluster.killTaskManager(cluster);
        cluster.addTaskManager();

        assertThat(run.exitCode()).isZero();
        assertThat(CommandRun.summary(staged).path("parametersSha256"))
                .isEqualTo(CommandRun.summary(whole).path("parametersSha256"));
        assertThat(staged.resolve("model.params"))
                .hasSameBinaryContentAs(whole.resolve("model.params"));
        assertThat(staged.resolve("run.json")).content().contains("\"stages\" : [");
    }

    @Test
    void aSavepointResumesAtAnotherParallelism() throws Exception {
        pace.slow();
        CommandRun first = train("stopped", "--parallelism", "4");
        RunningJob job = RunningJob.await(cluster);
        job.awaitCheckpoints(1);
        String savepoint = job.stopWithSavepoint(directory.resolve("savepoints").toString());
        assertThat(first.exitCode()).isEqualTo(1);
        assertThat(first.said())
                .contains("the job of nnm | multi-krum was stopped with the savepoint file:")
                .contains(" --resume " + savepoint.replaceFirst("^file:", ""))
                .doesNotContain("Exception", "cannot be read");
        assertThat(directory.resolve("stopped/summary.json")).doesNotExist();
        assertThat(CommandLineRun.of("status", directory.resolve("stopped").toString()).out())
                .contains("FINISHED", "was stopped with the savepoint " + savepoint);
        assertUndisturbed(train("resumed", "--parallelism", "3", "--resume", savepoint), "resumed");
    }
}
