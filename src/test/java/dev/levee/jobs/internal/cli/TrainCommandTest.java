package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.learners.Score;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Whole trainings through the command line, with a model that needs no natives. */
@Tag("cluster")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TrainCommandTest {
    private static final List<String> RULES = List.of("multi-krum", "average");

    @TempDir Path directory;

    private CommandLineRun train(String output, String... more) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "train",
                                "--model=logistic",
                                "--rounds=40",
                                "--eval-interval=20",
                                "--web-port=0",
                                "--output=" + directory.resolve(output)));
        arguments.addAll(List.of(more));
        return CommandLineRun.of(arguments.toArray(new String[0]));
    }

    private List<RunView> results(String output) throws IOException {
        return RunFiles.complete(OutputLayout.of(directory.resolve(output).toString(), RULES));
    }

    @Test
    void trainsSideBySideAndLeavesWhatEvaluateReads() throws IOException {
        CommandLineRun run = train("run");

        assertThat(run.err())
                .contains(
                        "Training logistic on strokes: with multi-krum and average: 40 rounds, 11"
                                + " workers, 3 of them attack (random)",
                        "Flink's web UI is at http://127.0.0.1:");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out().lines().toList())
                .hasSize(4)
                .satisfies(
                        lines -> {
                            assertThat(lines.get(0)).startsWith("rule");
                            assertThat(lines.get(1)).startsWith("multi-krum");
                            assertThat(lines.get(2)).startsWith("average");
                            assertThat(lines.get(3))
                                    .isEqualTo("Report: " + directory.resolve("run/report.html"));
                        });
        List<RunView> results = results("run");
        double robust = results.get(0).summary().finalAccuracy();
        assertThat(robust).isGreaterThan(0.5);
        assertThat(results.get(0).attackersShare()).isZero();
        assertThat(results.get(1).summary().finalAccuracy()).isLessThan(robust);
        assertThat(results.get(0).points()).hasSize(41);
        assertThat(results.get(0).samples()).isNotEmpty();
        assertThat(directory.resolve("run/levee.log")).isNotEmptyFile();
        assertThat(directory.resolve("run/checkpoints")).doesNotExist();

        CommandLineRun evaluated =
                CommandLineRun.of(
                        "evaluate", "--json", "--model-file", directory.resolve("run").toString());
        assertThat(evaluated.code()).as(evaluated.err()).isZero();
        assertThat(evaluated.out())
                .contains("\"accuracy\":" + robust + ",")
                .contains("\"loss\":" + results.get(0).summary().finalLoss());
    }

    @Test
    void moreWorkersThanSamplesAreRefusedBeforeAnythingStarts() {
        CommandLineRun run =
                train(
                        "few",
                        "--dataset=strokes:?train=40&test=20",
                        "--workers=41",
                        "--byzantine=3");
        assertThat(run.sentence())
                .isEqualTo(
                        "--dataset strokes:?train=40&test=20: 40 samples cannot be distributed to"
                                + " 41 workers: each needs at least one");
        assertThat(run.code()).isEqualTo(2);
        assertThat(directory.resolve("few")).doesNotExist();
    }

    @Test
    void numbersAreLearntAndTheirScoresShown() throws IOException {
        StringBuilder csv = new StringBuilder("a,b,price\n");
        for (int i = 0; i < 300; i++) {
            int a = i % 7 - 3;
            int b = i % 5 - 2;
            csv.append(a).append(',').append(b).append(',').append(3 * a - b + 0.5).append('\n');
        }
        Path data = Files.writeString(directory.resolve("prices.csv"), csv);
        CommandLineRun run =
                train(
                        "prices",
                        "--dataset=csv:" + data + "?targets=price",
                        "--loss=mse",
                        "--attack=reversed",
                        "--aggregator=median",
                        "--learning-rate=0.02",
                        "--momentum=0.5");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out().lines().findFirst().orElseThrow())
                .containsSubsequence(
                        "final RMSE", "best RMSE", "final MAE", "final R²", "final loss");
        RunView view =
                RunFiles.complete(
                                OutputLayout.of(
                                        directory.resolve("prices").toString(), List.of("median")))
                        .get(0);
        Summary summary = view.summary();
        assertThat(summary.told()).containsExactly(Score.RMSE, Score.MAE, Score.R2);
        assertThat(summary.finalScore(Score.R2)).isGreaterThan(0.9);
        assertThat(summary.finalAccuracy()).isNull();
        assertThat(view.points().get(0).score(Score.RMSE))
                .isGreaterThan(summary.bestScore(Score.RMSE));
        assertThat(Files.readString(directory.resolve("prices/report.html")))
                .contains("Final RMSE", "R² on the test set")
                .doesNotContain("ccuracy");

        CommandLineRun evaluated =
                CommandLineRun.of("evaluate", "--json", directory.resolve("prices").toString());
        assertThat(evaluated.out())
                .contains("\"rmse\":" + summary.finalScore(Score.RMSE) + ",")
                .doesNotContain("accuracy");
        CommandLineRun listed = CommandLineRun.of("runs", directory.toString());
        assertThat(listed.out()).contains("score", summary.finalWords());
    }

    @Test
    void aFullDiskForCheckpointsHoldsNoRunBack() throws IOException {
        CommandLineRun run =
                train(
                        "full",
                        "--aggregator=average",
                        "--checkpoint-dir=" + FullDisk.SCHEME + ":/checkpoints",
                        "--checkpoint-interval=10ms");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(FullDisk.refused()).isPositive();
    }

    @Test
    void filesInItsOutputThatItHasNotWrittenStay() throws IOException {
        Path foreign = directory.resolve("mine/checkpoints/thesis.txt");
        Path earlier = directory.resolve("mine/checkpoints/average/0123/chk-1/_metadata");
        for (Path each : List.of(foreign, earlier)) {
            Files.createDirectories(each.getParent());
            Files.writeString(each, "years");
        }
        List<String> options = List.of("--aggregator=average", "--checkpoint-interval=50ms");
        CommandLineRun refused = train("mine", options.toArray(String[]::new));
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.sentence())
                .isEqualTo(
                        "--output "
                                + directory.resolve("mine")
                                + " holds checkpoints/thesis.txt, which a run would not have"
                                + " written: choose an empty folder, or pass --overwrite to write"
                                + " there anyway");
        CommandLineRun run = train("mine", options.get(0), options.get(1), "--overwrite");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(foreign).exists();
        assertThat(earlier).exists();
        try (var left = Files.list(directory.resolve("mine/checkpoints/average"))) {
            assertThat(left).hasSize(1);
        }
    }

    @Test
    void aReplicaGoesOnBehindRoundsOfWhichALogWouldKnow() throws IOException {
        CommandLineRun run = train("replica", "--replica=1", "--audit=new", "--attack=none");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.sentence())
                .isEqualTo(
                        "--replica continues without the rounds that were lost, which --audit"
                                + " needs");
    }

    @Test
    void aFailedRunSaysWhyAndExitsWithOne() throws IOException {
        CommandLineRun run =
                train(
                        "failed",
                        "--aggregator=average",
                        "--byzantine=1",
                        "--attackers=3",
                        "--attack=nan");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err().lines().toList().get((int) run.err().lines().count() - 1))
                .startsWith("round 0 has more proven faults than f = 1: worker 8");
        assertThat(results("failed")).isEmpty();
        assertThat(Files.exists(directory.resolve("failed/levee.log"))).isTrue();
    }

    @Test
    void whatOneRuleReachedIsShownAlthoughAnotherDiverged() throws IOException {
        CommandLineRun run =
                train(
                        "half",
                        "--aggregator=multi-krum",
                        "--aggregator=average",
                        "--attack=reversed(c=1e38)");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("average has failed; the results of the others:");
        assertThat(run.out()).contains("multi-krum  ", "Report: ").doesNotContain("average");
        assertThat(results("half")).hasSize(1);
        assertThat(directory.resolve("half/report.html")).content().contains("multi-krum");
    }

    @Test
    void nobodyThereIsSaidInOneSentence() {
        CommandLineRun run = train("nobody", "--target=http://127.0.0.1:1");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .endsWith("--target http://127.0.0.1:1 does not answer like a Flink cluster\n");
    }
}
