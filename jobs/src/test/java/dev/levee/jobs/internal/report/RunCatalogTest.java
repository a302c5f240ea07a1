package dev.levee.jobs.internal.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.jobs.internal.report.summary.MetricsCsv;
import dev.levee.jobs.internal.report.summary.Summary;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Folders of runs, listed and put side by side. */
class RunCatalogTest {
    @TempDir Path directory;

    /** A run of two rules of which one is complete, and a run of one. */
    @BeforeEach
    void writeRuns() throws IOException {
        write("both", "krum");
        RunRecord record =
                new RunRecord(
                        List.of("train"),
                        "2026-01-03T00:00:00Z",
                        "http://127.0.0.1:8081",
                        false,
                        2,
                        null,
                        null,
                        directory.toUri() + "both/checkpoints",
                        true,
                        false,
                        Tracking.NONE,
                        null,
                        Map.of("net.py", "0123"),
                        7850,
                        null,
                        List.of(
                                new RunRecord.Job("krum", "0123", null, null, List.of("4567")),
                                new RunRecord.Job("clip(2) | average", null, null, null)));
        RunFiles both = new RunFiles(directory.resolve("both").toUri().toString());
        both.write(record);
        assertThat(both.record()).contains(record);
        write("one", "median");
    }

    private void write(String folder, String rule) throws IOException {
        new RunFiles(directory.resolve(folder).toUri().toString())
                .write(
                        Runs.view(rule).summary(),
                        MetricsCsv.of(Runs.result()),
                        Runs.view(rule).samples());
    }

    @Test
    void listsWhatIsCompleteAndWhatIsNotTheNewestLast() throws IOException {
        Files.createDirectories(directory.resolve("one/checkpoints/deep"));
        Files.writeString(directory.resolve("one/checkpoints/summary.json"), "{}");
        Files.createDirectories(directory.resolve("broken"));
        Files.writeString(directory.resolve("broken/summary.json"), "{\"configuration\"");
        Files.createDirectories(directory.resolve("empty"));
        Files.writeString(directory.resolve("empty/summary.json"), "null");
        // Neither another program's nor levee simulate's summary is one of a training.
        Files.createDirectories(directory.resolve("other/simulated"));
        Files.writeString(directory.resolve("other/summary.json"), "{\"total\": 1}");
        Files.writeString(
                directory.resolve("other/simulated/summary.json"), "{\"configuration\": {}}");
        assertThat(RunCatalog.below(directory.toString()))
                .extracting(
                        each -> each.folder().replaceFirst(".*/", ""),
                        RunCatalog.Entry::rule,
                        RunCatalog.Entry::state)
                .containsExactly(
                        tuple("broken", "", "damaged"),
                        tuple("empty", "", "damaged"),
                        tuple("both", "krum", "complete"),
                        tuple("one", "median", "complete"),
                        tuple("clip-2-average", "clip(2) | average", "not complete"));
        assertThatThrownBy(() -> RunCatalog.below(directory + "/nowhere"))
                .isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void aComparisonNamesRunsAndWhereTheyDiffer() throws IOException {
        Comparison comparison =
                Comparison.of(List.of(directory + "/both", directory.resolve("one").toString()));
        assertThat(comparison.names()).containsExactly("both", "one");
        assertThat(comparison.differing()).containsExactly("aggregator");
        assertThat(comparison.page())
                .contains("2 runs side by side", "They differ in aggregator.", "2026-01-02")
                .contains("<th scope=\"row\"><i style=\"background:#e8750a\"></i>one</th>");
    }

    @Test
    void runsOfOneFolderAreNamedByTheirRules() throws IOException {
        write("both/clip-2-average", "clip(2) | average");
        assertThat(Comparison.of(List.of(directory + "/both")).names())
                .containsExactly("both: krum", "both: clip(2) | average");
        String one = directory + "/both/../one";
        assertThat(Comparison.of(List.of(one, directory + "/one")).names())
                .containsExactly(one, directory + "/one");
    }

    @Test
    void whatAFolderOrAnOptionIsCalledIsShownAsText() {
        String hostile = "\"><script>alert(1)</script>";
        Map<String, Object> configuration = Runs.configuration(hostile);
        configuration.put(hostile, hostile);
        RunView view =
                new RunView(
                        Summary.of(Runs.PROVENANCE, configuration, null, Runs.result()),
                        List.of(),
                        List.of());
        Comparison comparison =
                new Comparison(List.of(view, Runs.view("median")), List.of(hostile, "b"));
        assertThat(comparison.page()).contains("&lt;script&gt;").doesNotContain("<script");
    }

    @Test
    void aFolderWithoutACompleteRunIsNamed() {
        assertThatThrownBy(() -> Comparison.of(List.of(directory.toString())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        directory
                                + " has no complete run: summary.json is missing; levee runs DIR"
                                + " lists the runs below DIR");
    }
}
