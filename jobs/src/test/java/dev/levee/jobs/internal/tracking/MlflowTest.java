package dev.levee.jobs.internal.tracking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.jobs.internal.report.FinishedRun;
import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.report.Tracking;
import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.learners.Score;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

class MlflowTest {
    private static Mlflow begin(MlflowServer server, Map<String, Object> options)
            throws IOException {
        return Mlflow.begin(
                server.address() + "/",
                "my runs",
                List.of("out"),
                List.of(options),
                Clock.systemUTC());
    }

    @Test
    void aRunHasItsOptionsItsCurvesAndItsScores() throws IOException {
        try (MlflowServer server = new MlflowServer()) {
            Map<String, Object> options = new LinkedHashMap<>();
            for (int i = 0; i < 101; i++) {
                options.put("option-" + i, "x".repeat(i * 6));
            }
            Mlflow begun = begin(server, options);
            begun.progress(0, 1, 0.5, Score.ACCURACY, Double.NaN, 2);
            Mlflow again = Mlflow.resume(server.address() + "/", begun.runs(), Clock.systemUTC());
            again.finished(0, FinishedRun.ofTwoRounds());

            assertThat(server.experiments()).containsOnlyKeys("my runs");
            MlflowServer.Run run = server.runs().get(begun.runs().get(0));
            assertThat(run.name).isEqualTo("out");
            assertThat(run.status()).isEqualTo("FINISHED");
            assertThat(run.parameters).hasSize(101);
            assertThat(run.parameters.get("option-100")).hasSize(500);
            assertThat(run.tags)
                    .containsEntry("mlflow.source.name", "levee")
                    .containsKey("levee.parameters.sha256");
            assertThat(run.metrics)
                    .containsExactly(
                            "progress/loss 1 0.5",
                            "progress/rounds_per_second 1 2.0",
                            "test/loss 0 2.75",
                            "test/accuracy 0 0.125",
                            "train/loss 1 2.5",
                            "train/workers 1 3.0",
                            "train/batch 1 48.0",
                            "test/loss 1 1.5",
                            "test/accuracy 1 0.75",
                            "train/workers 2 2.0",
                            "train/batch 2 32.0",
                            "test/accuracy 2 0.5",
                            "final_accuracy 2 0.5",
                            "best_accuracy 2 0.75",
                            "rounds_per_second 2 2.6666666666666665");
            begin(server, Map.of()).failed(0);
            assertThat(server.experiments()).hasSize(1);
            assertThat(server.runs().get("run01").status()).isEqualTo("FAILED");
        }
    }

    @Test
    void aLongHistoryGoesInBatches() throws IOException {
        try (MlflowServer server = new MlflowServer()) {
            RunView two = FinishedRun.ofTwoRounds();
            List<RunView.Point> points =
                    new ArrayList<>(Collections.nCopies(700, two.points().get(1)));
            begin(server, Map.of()).finished(0, new RunView(two.summary(), points, List.of()));
            assertThat(server.runs().get("run00").metrics).hasSize(700 * 5 + 3);
        }
    }

    @Test
    void aServerThatGoesAwayIsToldOnceAndHoldsNothingBack(@TempDir Path directory)
            throws IOException {
        MlflowServer server = new MlflowServer();
        String run = begin(server, Map.of()).runs().get(0);
        server.close();
        Path file = Files.createFile(directory.resolve("file"));
        Tracking tracking = new Tracking(file.toString(), server.address(), List.of(run), false);
        List<String> said = new ArrayList<>();
        OutputLayout layout = OutputLayout.of("out", List.of("median"));
        RunRecord record =
                new RunRecord(
                        List.of(),
                        "",
                        "",
                        true,
                        2,
                        null,
                        null,
                        "",
                        true,
                        false,
                        tracking,
                        null,
                        Map.of(),
                        null,
                        null,
                        List.of(new RunRecord.Job("median", "0123", null, null)));
        Trackers trackers = Trackers.of(record, layout, said::add);
        trackers.progress(0, 1, 0.5, Score.ACCURACY, 0.5, 2);
        assertThat(trackers.finished(0, FinishedRun.ofTwoRounds())).isFalse();
        assertThat(said)
                .hasSize(2)
                .contains(
                        "--mlflow did not receive all of this run: "
                                + server.address()
                                + " does not answer");
        assertThat(said.get(0)).startsWith("--tensorboard did not receive all of this run: ");
        assertThatThrownBy(
                        () ->
                                Trackers.begin(
                                        tracking,
                                        "levee",
                                        layout,
                                        new TreeMap<>(Map.of(0, Map.of()))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "--mlflow %1$s accepts no runs: %1$s does not answer", server.address());
    }
}
