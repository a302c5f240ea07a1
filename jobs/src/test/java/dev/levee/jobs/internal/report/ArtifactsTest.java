package dev.levee.jobs.internal.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.lang.Double.NaN;

import dev.levee.jobs.internal.report.page.Report;
import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.jobs.internal.report.summary.MetricsCsv;
import dev.levee.jobs.internal.report.summary.ProgressSummary;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.learners.FlatVector;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.report.EvaluationReport;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RoundReportBuilder;
import dev.levee.operators.rounds.training.RunResult;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class ArtifactsTest {
    @TempDir Path directory;

    @Test
    void summaryHasExactlyTheKeysThatScriptsRelyOn() throws IOException {
        Summary summary =
                Summary.of(Runs.PROVENANCE, Runs.configuration("median"), null, Runs.result());
        String json = summary.json();
        assertThat(json)
                .startsWith(
                        """
                        {
                          "provenance" : {
                            "started" : "2026-01-02T03:04:05Z",
                            "finished" : "2026-01-02T03:05:00Z",
                            "levee" : "0.1.0",
                            "flink" : "2.2.0",
                            "java" : "17.0.1",
                            "machine" : "Linux amd64, 2 processors, 8 GiB",
                            "git" : "0123456789ab with changes"
                          },
                          "configuration" : {
                            "dataset" : "strokes:",
                            "model" : "mnist-cnn",
                            "workers" : 3,
                            "byzantine" : 1,
                            "attackers" : 1,
                            "attack" : "random",
                            "aggregator" : "median"
                          },
                          "roundsDone" : 2,
                          "samplesDone" : 96,
                          "finalAccuracy" : 0.5,
                          "bestAccuracy" : 0.75,
                          "finalLoss" : null,
                          "roundsPerSecond" : 2.6666666666666665,
                          "secondsByPhase" : {
                            "compute" : 0.375,
                            "ship" : 0.25,
                            "look" : 0.0625,
                            "decide" : 0.03125,
                            "reduce" : 0.03125,
                            "update" : 0.0
                          },
                          "workers" : [ {
                            "worker" : 0,
                            "accepted" : 2,
                            "late" : 0,
                            "rejected" : {
                              "late" : 0,
                        """)
                // printf '\x00\x00\x80\x3f\x00\x00\x20\xc0' | sha256sum
                .endsWith(
                        """
                          "parametersSha256" : "SHA"
                        }
                        """
                                .replace("SHA", SHA));
        assertThat(summary.workers().get(2).late()).isEqualTo(1);
        assertThat(summary.workers().get(2).rejected()).containsEntry("non-finite", 3L);
        assertThat(Summary.parse(json)).isEqualTo(summary);
        assertThat(Summary.parse(json).json()).isEqualTo(json);
    }

    private static final String SHA =
            "48943f7a0ea247f8e3c9386d0c5822fe181d323a9289980426638cc4e72a43e1";

    @Test
    void metricsHaveARowPerVersion() {
        RunResult result = Runs.result();
        assertThat(MetricsCsv.of(result))
                .isEqualTo(
                        """
                        version,seconds,compute,ship,look,decide,reduce,update,loss,learningRate,\
                        batchSize,rows,selected,faults,workers,f,testLoss,testAccuracy
                        0,,,,,,,,,,,,,,,,2.75,0.125
                        1,0.5,0.25,0.125,0.0625,0.03125,0.03125,0.0,2.5,0.1,16,0 1 2,0 1,,3,1,1.5,0.75
                        2,0.25,0.125,0.125,0.0,0.0,0.0,0.0,NaN,0.05,16,0 1,1,2,,,Infinity,0.5
                        """);
    }

    @Test
    void metricsOfAVeryLongRunHaveARowPerStretch() {
        RunResult two = Runs.result();
        RunResult result =
                Runs.of(
                        null,
                        8,
                        384,
                        4,
                        two.rounds().stream()
                                .map(round -> at(4 * round.round() + 3, round))
                                .toList(),
                        List.of(
                                new EvaluationReport(0, 0, 2.5, 0.125),
                                new EvaluationReport(2, 0, 1.5, 0.75),
                                new EvaluationReport(3, 0, 1.25, 0.5)),
                        two.workers(),
                        two.parameters());
        assertThat(MetricsCsv.of(result))
                .isEqualTo(
                        """
                        version,seconds,compute,ship,look,decide,reduce,update,loss,learningRate,\
                        batchSize,rows,selected,faults,workers,f,testLoss,testAccuracy
                        0,,,,,,,,,,,,,,,,2.5,0.125
                        4,0.5,0.25,0.125,0.0625,0.03125,0.03125,0.0,2.5,0.1,16,0 1 2,0 1,,3,1,1.25,0.5
                        8,0.25,0.125,0.125,0.0,0.0,0.0,0.0,NaN,0.05,16,0 1,1,2,,,,
                        """);
        Summary summary = Summary.of(Runs.PROVENANCE, Runs.configuration("median"), null, result);
        assertThat(summary.roundsDone()).isEqualTo(8);
        assertThat(summary.bestAccuracy()).isEqualTo(0.75);
    }

    @Test
    void anElasticRunSaysHowFarItCameAndWhatItsRoundsCountedAs() throws IOException {
        RunResult two = Runs.result();
        RoundReport first = counting(two.rounds().get(0), new Planner.Progress(0, 1, NaN, 3));
        RoundReport second = counting(two.rounds().get(1), new Planner.Progress(1, 2.5, 640, 2));
        RunResult result =
                Runs.of(
                        null,
                        2,
                        96,
                        1,
                        List.of(first, second),
                        two.evaluations(),
                        two.workers(),
                        two.parameters());
        String csv = MetricsCsv.of(result);
        assertThat(csv)
                .isEqualTo(
                        """
                        version,seconds,compute,ship,look,decide,reduce,update,loss,learningRate,\
                        batchSize,rows,selected,faults,workers,f,progress,gain,noiseScale,testLoss,testAccuracy
                        0,,,,,,,,,,,,,,,,,,,2.75,0.125
                        1,0.5,0.25,0.125,0.0625,0.03125,0.03125,0.0,2.5,0.1,16,0 1 2,0 1,,3,1,\
                        1.0,1.0,NaN,1.5,0.75
                        2,0.25,0.125,0.125,0.0,0.0,0.0,0.0,NaN,0.05,16,0 1,1,2,,,\
                        3.5,2.5,640.0,Infinity,0.5
                        """);
        RunView.Point last = RunView.points(csv).get(2);
        assertThat(List.of(last.progress(), last.gain(), last.noiseScale()))
                .containsExactly(3.5, 2.5, 640.0);
        Summary summary = Summary.of(Runs.PROVENANCE, Runs.configuration("median"), null, result);
        assertThat(summary.progress()).isEqualTo(new ProgressSummary(3.5, 1.75, 640.0, 2.0));
        assertThat(Summary.parse(summary.json())).isEqualTo(summary);
    }

    private static RoundReport counting(RoundReport round, Planner.Progress progress) {
        return RoundReportBuilder.like(round).progress(progress).build();
    }

    private static RoundReport at(long number, RoundReport round) {
        return RoundReportBuilder.like(round).round(number).build();
    }

    @Test
    void theReportShowsNAndFByRoundWhereTheyChange() {
        RoundReport first = Runs.result().rounds().get(0);
        RoundReport second = RoundReportBuilder.like(first).round(1).among(2, 0).build();
        RunResult two = Runs.result();
        RunResult changing =
                Runs.of(
                        null,
                        2,
                        80,
                        1,
                        List.of(first, second),
                        two.evaluations(),
                        two.workers(),
                        two.parameters());
        Summary summary = Summary.of(Runs.PROVENANCE, Runs.configuration("median"), null, changing);
        RunView view = new RunView(summary, RunView.points(MetricsCsv.of(changing)), List.of());
        assertThat(view.points()).extracting(RunView.Point::asked).containsExactly(NaN, 3.0, 2.0);
        assertThat(view.points()).extracting(RunView.Point::f).containsExactly(NaN, 1.0, 0.0);
        String took = "Workers that took part in a round, n";
        assertThat(Report.of(List.of(view)))
                .contains(took, "Byzantine workers among them that the rule had to tolerate, f");
        assertThat(Report.of(List.of(Runs.view("median")))).doesNotContain(took);
    }

    @Test
    void theReportOfSeveralRunsIsCompleteWhoeverEndsLast() throws IOException {
        OutputLayout layout =
                OutputLayout.of(directory.toString(), List.of("multi-krum", "clip(2) | average"));
        RunFiles first = new RunFiles(layout.directory(0));
        RunFiles second = new RunFiles(layout.directory(1));
        RunResult result = Runs.result();
        String metrics = MetricsCsv.of(result);

        second.write(
                Summary.of(Runs.PROVENANCE, Runs.configuration("clip(2) | average"), null, result),
                metrics,
                List.of());
        RunFiles.writeReport(layout);
        assertThat(RunFiles.complete(layout)).hasSize(1);
        first.write(Runs.view("multi-krum").summary(), metrics, Runs.view("multi-krum").samples());
        RunFiles.writeReport(layout);

        assertThat(RunFiles.complete(layout))
                .extracting(RunView::rule)
                .containsExactly("multi-krum", "clip(2) | average");
        assertThat(Files.readString(directory.resolve("report.html")))
                .contains("multi-krum", "clip(2) | average");
        assertThat(directory.resolve("clip-2-average/summary.json")).exists();
        try (var files = Files.list(directory)) {
            assertThat(files.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "summary.json",
                            "metrics.csv",
                            "samples.json",
                            "report.html",
                            "clip-2-average");
        }
        first.forget();
        assertThat(RunFiles.complete(layout)).hasSize(1);
    }

    @Test
    @Tag("native")
    void aNetworkThatCannotBeWrittenFailsWithTheReason() throws IOException {
        Model model = Models.open("mnist-cnn", new int[] {1, 28, 28}, 10);
        FlatVector parameters = FlatVector.of(model.initialParameters(1));
        Files.createDirectories(directory.resolve("model.params/full"));
        assertThatThrownBy(
                        () -> new RunFiles(directory.toUri().toString()).write(model, parameters))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(directory.resolve("model.params").toString());
    }

    @Test
    void attackersShareCountsRowsWithWeight() {
        assertThat(Runs.view("median").attackersShare()).isZero();
        assertThat(Runs.view("median").attacks(2)).isTrue();
        assertThat(Runs.view("median").attacks(1)).isFalse();
    }
}
