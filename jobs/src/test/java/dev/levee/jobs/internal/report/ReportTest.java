package dev.levee.jobs.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.report.page.Report;
import dev.levee.jobs.internal.report.page.RunCharts;
import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.jobs.internal.report.summary.CodeFaultSummary;
import dev.levee.jobs.internal.report.summary.CodingSummary;
import dev.levee.jobs.internal.report.summary.GpuSummary;
import dev.levee.jobs.internal.report.summary.Sample;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.jobs.internal.report.summary.TrafficSummary;
import dev.levee.learners.Score;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import javax.xml.parsers.DocumentBuilderFactory;

class ReportTest {
    private final String html =
            Report.of(List.of(Runs.view("multi-krum"), Runs.view("clip(2) | <average>")));

    @Test
    void saysWhatItMust() {
        assertThat(html)
                .contains(
                        "<h1>mnist-cnn on strokes</h1>",
                        "2 rounds with 3 workers, 1 of which attack (random)",
                        "multi-krum",
                        "clip(2) | &lt;average&gt;",
                        "Accuracy on the test set",
                        "Loss on the test set",
                        "Time of a round, by phase",
                        "How often multi-krum used each worker",
                        "attacker 2",
                        "data:image/png;base64,AAAA",
                        "<b>3</b>, not 8",
                        "<dt>dataset</dt>",
                        Runs.view("multi-krum").summary().parametersSha256())
                .doesNotContain("<average>");
    }

    /** For readers who cannot see a chart, or have nothing to hover with. */
    @Test
    void aTableIsUnderEachChart() {
        int charts = html.split("<svg", -1).length - 1;
        assertThat(html.split("</svg><details class=\"values\">", -1)).hasSize(charts + 1);
        assertThat(html).contains("<summary aria-label=\"Values: Time of a round, by phase\">");
    }

    @Test
    void needsNothingFromElsewhere() {
        assertThat(Pattern.compile("(src|href)=\"(?!data:)").matcher(html).find()).isFalse();
        assertThat(html).doesNotContain("http:", "https:", "@import", "url(", "<script");
    }

    @Test
    void chartsAreWellFormedAndLeaveOutWhatIsNotFinite() throws Exception {
        int charts = 0;
        var matcher = Pattern.compile("<svg.*?</svg>", Pattern.DOTALL).matcher(html);
        while (matcher.find()) {
            charts++;
            Document svg =
                    DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(
                                    new ByteArrayInputStream(
                                            matcher.group().getBytes(StandardCharsets.UTF_8)));
            NodeList paths = svg.getElementsByTagName("path");
            assertThat(paths.getLength()).isEqualTo(2);
            for (int i = 0; i < paths.getLength(); i++) {
                assertThat(paths.item(i).getAttributes().getNamedItem("d").getNodeValue())
                        .matches("(M[0-9. ]+(L[0-9. ]+)*)+");
            }
        }
        assertThat(charts).isEqualTo(3);
    }

    @Test
    void aRunWithoutEvaluationsOrImagesHasAReportToo() {
        RunView bare = new RunView(Runs.view("median").summary(), List.of(), List.of());
        assertThat(Report.of(List.of(bare))).contains("median").doesNotContain("Test images");
    }

    @Test
    void onlyTheChartOfALossThatEndsSaysWhyALineEnds() {
        RunView run = Runs.view("median");
        RunView never = new RunView(run.summary(), List.of(), List.of());
        String note = "A line ends where the loss is no longer a finite number.";
        RunCharts charts = new RunCharts(List.of(run), List.of("a"));
        assertThat(charts.testLoss("Loss")).contains(note);
        assertThat(charts.section("Workers", RunView.Point::workers, false)).doesNotContain(note);
        assertThat(new RunCharts(List.of(never), List.of("a")).testLoss("Loss"))
                .doesNotContain(note);
        assertThat(html.split(note, -1)).hasSize(3);
    }

    @Test
    void runsOfOtherTasksHaveTheirScoresInTheAccuracysPlace() throws IOException {
        RunView numbers = Runs.numbers("median");
        Summary summary = Summary.parse(numbers.summary().json());
        assertThat(summary.told()).containsExactly(Score.RMSE, Score.R2);
        assertThat(summary.finalScore(Score.RMSE)).isEqualTo(0.75);
        assertThat(summary.bestScore(Score.RMSE)).isEqualTo(0.5);
        assertThat(summary.bestScore(Score.R2)).isEqualTo(0.8);
        assertThat(summary.finalScore(Score.R2)).isNull();
        assertThat(summary.finalWords()).isEqualTo("RMSE 0.7500");
        assertThat(numbers.points().get(1).scores())
                .containsExactly(Map.entry(Score.RMSE, 0.5), Map.entry(Score.R2, 0.8));
        assertThat(Report.of(List.of(numbers)))
                .contains("Final RMSE", "Best RMSE", "RMSE on the test set", "0.7500")
                .doesNotContain("ccuracy");
        // Beside a classifier each has a dash where the other has a number.
        String page = new Comparison(List.of(Runs.view("krum"), numbers), List.of("a", "b")).page();
        assertThat(page)
                .containsSubsequence("Final accuracy", "Best accuracy", "Final RMSE", "Final R²")
                .contains("50.0 %</td><td>75.0 %</td><td>–</td><td>–</td><td>–")
                .contains("–</td><td>–</td><td>0.7500</td><td>0.5000</td><td>–");
    }

    /** A summary of a run that classifies is as it was before there were other tasks. */
    @Test
    void aClassifiersSummaryNamesNoScores() throws IOException {
        assertThat(Runs.view("krum").summary().json()).doesNotContain("scores");
    }

    /** Reports of several runs show what lies in the folder, which others may have written. */
    @Test
    void whateverAFileSaysIsShownAsText() {
        String hostile = "\"><script>alert(1)</script>";
        Summary honest = Runs.view("median").summary();
        Map<String, Object> configuration = new LinkedHashMap<>(honest.configuration());
        for (String name : List.of("dataset", "model", "attack", "aggregator")) {
            configuration.put(name, hostile);
        }
        configuration.put(hostile, hostile);
        Summary forged =
                new Summary(
                        honest.provenance(),
                        configuration,
                        honest.roundsDone(),
                        honest.samplesDone(),
                        honest.finalAccuracy(),
                        honest.bestAccuracy(),
                        honest.finalLoss(),
                        null,
                        Map.of(hostile, new Summary.Told(1.0, 1.0)),
                        honest.roundsPerSecond(),
                        null,
                        Map.of(hostile, 1.0),
                        honest.workers(),
                        List.of(),
                        List.of(
                                new CodeFaultSummary(
                                        hostile, 17, new TreeMap<>(Map.of(4, 3L)), hostile)),
                        List.of(
                                new GpuSummary(
                                        hostile,
                                        hostile,
                                        hostile,
                                        4L << 30,
                                        1L << 30,
                                        3L << 29,
                                        List.of(
                                                new GpuSummary.Interpreter(
                                                        7, 1L << 30, 3L << 29)))),
                        null,
                        List.of(),
                        List.of(new TrafficSummary(hostile, 1, 1)),
                        null,
                        null,
                        null,
                        null,
                        null,
                        Map.of(hostile, 1L),
                        new CodingSummary(hostile, 30.0, 20, 3, 0.01, 0.2),
                        hostile);
        RunView view = new RunView(forged, List.of(), List.of(new Sample(7, 7, hostile)));
        assertThat(Report.of(List.of(view)))
                .contains(
                        "&lt;script&gt;",
                        "First in round 17. Of worker 4 (3 times).",
                        "<pre>",
                        "<td>1</td><td>1.00</td><td>1.50</td><td>4.00</td>",
                        "3 of 20 rounds had fewer answers than the code needs")
                .doesNotContain("<script");
    }
}
