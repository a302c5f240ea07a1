package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

class SimulateCommandTest {
    @TempDir Path directory;

    private static CommandLineRun simulate(String... options) {
        List<String> arguments = new ArrayList<>(List.of("simulate"));
        arguments.addAll(List.of(options));
        return CommandLineRun.of(arguments.toArray(String[]::new));
    }

    @Test
    void printsATableAndLeavesFiles() throws IOException {
        CommandLineRun run =
                simulate(
                        "--policy=era,static",
                        "--policy=afs-p",
                        "--jobs=8",
                        "--output=" + directory);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out().lines())
                .hasSize(4)
                .anyMatch(
                        line ->
                                line.matches(
                                        "era +synthetic( +\\d+){2}( +\\d+\\.\\d\\d){2}( +\\d+){4}"));
        JsonNode summary = new ObjectMapper().readTree(directory.resolve("summary.json").toFile());
        assertThat(summary.get("results")).hasSize(3);
        for (JsonNode result : summary.get("results")) {
            assertThat(result.fieldNames())
                    .toIterable()
                    .containsExactly(
                            "policy",
                            "workload",
                            "jobs",
                            "averageJctSeconds",
                            "makespanSeconds",
                            "worstRho",
                            "rho90",
                            "averageQueueingSeconds",
                            "longestWaitSeconds",
                            "averageThroughput",
                            "restarts");
            assertThat(result.get("averageJctSeconds").asDouble()).isPositive();
        }
        List<String> jobs = Files.readAllLines(directory.resolve("jobs.csv"));
        assertThat(jobs).hasSize(1 + 3 * 8);
        assertThat(jobs.get(0)).contains(",jctSeconds,rho,queueingSeconds,");
        assertThat(jobs.get(1).split(",")).hasSameSizeAs(jobs.get(0).split(","));
        assertThat(Files.readString(directory.resolve("report.html")))
                .contains("Average job completion time", "<svg", "hours</text>")
                .doesNotContain("NaN", "rounds</text>");

        CommandLineRun again = simulate("--policy=static", "--jobs=8", "--output=" + directory);
        assertThat(again.sentence())
                .isEqualTo(
                        ("--output %s contains jobs.csv: choose another folder, or pass"
                                        + " --overwrite to replace the results of a simulation")
                                .formatted(directory));
        assertThat(again.code()).isEqualTo(2);
        assertThat(
                        simulate(
                                        "--policy=static",
                                        "--jobs=8",
                                        "--overwrite",
                                        "--output=" + directory)
                                .code())
                .isZero();
    }

    @Test
    void thePageShowsWhatTheCommandPrints() throws IOException {
        Path page = Path.of(System.getProperty("levee.home"), "docs", "how-to", "elasticity.md");
        String table = simulate("--policy=era-goodput,static,afs-p").out();
        assertThat(Files.readString(page)).contains(table);
    }

    @Test
    void theSameSeedGivesTheSameTable() {
        assertThat(simulate("--jobs=6", "--seed=3").out())
                .isEqualTo(simulate("--jobs=6", "--seed=3").out())
                .isNotEqualTo(simulate("--jobs=6", "--seed=4").out());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--policy=pollux|unknown policy pollux: known are static, autoscaler, afs-p",
                "--cluster=64|--cluster must be NODESxSLOTS, such as 16x4, or several of them with"
                        + " speeds above 0, such as 8x4,8x4@0.5, got 64",
                "--cluster=8x4@0|--cluster must be NODESxSLOTS",
                "--cluster=1x1 --policy=static|job job-0 needs 2 workers, but the cluster has room for 1",
                "--schedule=csv|the schedule csv needs a workload file: choose poisson",
                "--schedule=often|unknown schedule often: known are csv, poisson, all-at-once",
                "--jobs=0|--jobs must be at least 1, got 0",
                "--decide-every=0s|--decide-every must be a duration above zero such as 500ms, 10s or"
                        + " 2min, got 0s",
                "--measure-every=60|--measure-every must be a duration above zero such as 500ms,"
                        + " 10s or 2min, got 60",
                "--rho-bound=0.5|--rho-bound must be at least 1, which is an equal share, got 0.5",
                "--policy=static,era --longest-wait=1h|--longest-wait is for --policy era-goodput,"
                        + " era-goodput-unknown, power-mean, got static, era",
                "--pause=-1s|--pause must be a duration such as 500ms, 10s or 2min, got -1s",
                "--start-batch=large --workload=/no/w.csv|--start-batch must be requested or"
                        + " initial, got large",
                "--workload=/no/w.csv|/no/w.csv does not exist",
                "--interval=x|--interval must be a duration above zero",
                "--json|--json is for --coding",
                "--coding=run --jobs=8|--jobs is not for --coding",
            })
    void rubbishIsOneSentenceAndExitCode2(String options, String sentence) {
        CommandLineRun run = simulate(options.split(" "));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.sentence()).startsWith(sentence);
    }
}
