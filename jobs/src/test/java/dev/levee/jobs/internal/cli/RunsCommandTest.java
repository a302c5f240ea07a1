package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class RunsCommandTest {
    private static final String SUMMARY =
            """
            {"configuration": {"dataset": "strokes:", "model": "logistic", "workers": 3,
             "aggregator": "RULE"}, "roundsDone": 7, "samplesDone": 5, "finalAccuracy": 0.5,
             "bestAccuracy": 0.75, "finalLoss": null, "roundsPerSecond": 2.0,
             "secondsByPhase": {}, "workers": [], "parametersSha256": "00"}
            """;

    @TempDir Path directory;

    private Path run(String rule) throws IOException {
        Path run = Files.createDirectories(directory.resolve(rule));
        Files.writeString(run.resolve("summary.json"), SUMMARY.replace("RULE", rule));
        Files.writeString(run.resolve("metrics.csv"), "version,loss,rows,testLoss,testAccuracy\n");
        Files.writeString(run.resolve("samples.json"), "[]");
        return run;
    }

    @Test
    void listsRunsOlderThanTheirDates() throws IOException {
        run("krum");
        CommandLineRun listed = CommandLineRun.of("runs", directory.toString());
        assertThat(listed.code()).isZero();
        assertThat(listed.out())
                .matches(
                        "run +started +rule +model +data +attack +rounds +accuracy\n"
                                + "\\S+/krum +– +krum +logistic +strokes: +– +7 +50.0 %\n");
        assertThat(CommandLineRun.of("runs", directory + "/none").sentence())
                .isEqualTo(directory + "/none does not exist");
        assertThat(CommandLineRun.of("runs", directory + "/none").code()).isEqualTo(2);
        Path empty = Files.createDirectory(directory.resolve("empty"));
        assertThat(CommandLineRun.of("runs", empty.toString()).out())
                .isEqualTo("There is no run in " + empty + ".\n");
    }

    @Test
    void comparesAndReplacesNoReportUnasked() throws IOException {
        Path report = directory.resolve("both.html");
        String[] command = {
            "compare", run("krum").toString(), run("median").toString(), "--output=" + report
        };
        CommandLineRun compared = CommandLineRun.of(command);
        assertThat(compared.code()).as(compared.err()).isZero();
        assertThat(compared.out())
                .contains("krum    krum    50.0 %          75.0 %         –\n")
                .endsWith("Report: " + report + "\n");
        assertThat(Files.readString(report)).contains("2 runs side by side");
        CommandLineRun again = CommandLineRun.of(command);
        assertThat(again.code()).isEqualTo(2);
        assertThat(again.sentence())
                .isEqualTo(
                        "--output "
                                + report
                                + " already exists: choose another file, or pass --overwrite");
    }
}
