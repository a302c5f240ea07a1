package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** One estimate from a file to a report, in a cluster of its own. */
@Tag("cluster")
class EstimateCommandTest {
    @TempDir Path directory;

    @Test
    void twoTreatmentsWithEverythingThatThereIs() throws Exception {
        Random random = new Random(8);
        StringBuilder csv = new StringBuilder("wage,training,advice,age,city\n");
        for (int i = 0; i < 400; i++) {
            double age = random.nextGaussian();
            double city = random.nextGaussian();
            int training = random.nextGaussian() + age > 0 ? 1 : 0;
            int advice = random.nextGaussian() + city > 0 ? 1 : 0;
            double wage = 2 * training - advice + age + city + random.nextGaussian();
            csv.append(
                    String.format(
                            Locale.ROOT, "%s,%d,%d,%s,%s%n", wage, training, advice, age, city));
        }
        Path table = Files.writeString(directory.resolve("table.csv"), csv);
        Path out = directory.resolve("out");
        CommandLineRun run =
                CommandLineRun.of(
                        "estimate",
                        "--data=csv:" + table,
                        "--model=irm",
                        "--outcome=wage",
                        "--treatment=training,advice",
                        "--learner-m=logistic",
                        "--folds=3",
                        "--repetitions=2",
                        "--bootstrap=bayes",
                        "--web-port=0",
                        "--output=" + out);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err())
                .contains(
                        "Estimating the effect of training, advice on wage: irm, score ate, 400"
                                + " observations. 3 folds × 2 repetitions × 3 nuisance functions × 2"
                                + " treatments: 36 fits, by logistic, linear.");
        assertThat(run.out())
                .contains("coefficient  std. error", "95 % interval", "joint interval")
                .contains("36 fits took")
                .containsPattern("(?m)^training +[12]\\.\\d{6} ")
                .containsPattern("(?m)^advice +-[01]\\.\\d{6} ")
                .containsPattern("ml_g0 [\\d.]+, ml_g1 [\\d.]+, ml_m 0\\.\\d+");
        JsonNode summary = new ObjectMapper().readTree(out.resolve("summary.json").toFile());
        JsonNode training = summary.path("treatments").path("training");
        // Five standard errors.
        assertThat(training.path("coefficient").asDouble())
                .isCloseTo(2, within(5 * training.path("standardError").asDouble()));
        assertThat(training.path("jointLower").asDouble())
                .isLessThan(training.path("lower").asDouble());
        assertThat(summary.path("fits").asInt()).isEqualTo(36);
        assertThat(summary.path("gbSeconds").asDouble())
                .isEqualTo(summary.path("fitSeconds").asDouble());
        assertThat(Files.readAllLines(out.resolve("estimates.csv")))
                .hasSize(1 + 2 * 2)
                .first()
                .isEqualTo("repetition,treatment,coefficient,standardError,ml_g0,ml_g1,ml_m");
        assertThat(Files.readString(out.resolve("report.html")))
                .contains(
                        "Effect of training, advice on wage",
                        "training: estimates over repetitions",
                        "advice: overlap of propensities",
                        "residuals of the outcome",
                        "If a variable was omitted")
                .doesNotContain("NaN");
        assertThat(CommandLineRun.of("runs", directory.toString()).out()).doesNotContain("wage");
    }

    private static void refused(String sentence, String... options) {
        List<String> words = new ArrayList<>(List.of("estimate", "--outcome=y", "--treatment=d"));
        words.addAll(List.of(options));
        CommandLineRun run = CommandLineRun.of(words.toArray(String[]::new));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.sentence()).isEqualTo(sentence);
    }

    @Test
    void theRowsOfAQueryAreATableWhateverTheirOrder() throws Exception {
        Random random = new Random(3);
        StringBuilder csv = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            double x = random.nextGaussian();
            double d = x + random.nextGaussian();
            csv.append(String.format(Locale.ROOT, "%s,%s,%s,%d%n", d + x, d, x, i % 2));
        }
        Path folder = Files.createDirectory(directory.resolve("rows"));
        Files.writeString(folder.resolve("part"), csv);
        Path script =
                Files.writeString(
                        directory.resolve("shop.sql"),
                        """
                        CREATE TABLE shop (y DOUBLE, d DOUBLE, x DOUBLE, f INT)
                        WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv');
                        SELECT y FROM nowhere;
                        SELECT y, d, x, f = 1 AS f FROM shop WHERE y < 100;
                        """
                                .formatted(folder));
        Path out = directory.resolve("out");
        CommandLineRun run =
                CommandLineRun.of(
                        "estimate",
                        "--data=sql:" + script,
                        "--outcome=y",
                        "--treatment=d",
                        "--fold-column=f",
                        "--web-port=0",
                        "--output=" + out);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).contains("200 observations. 2 folds × 1 repetition ×");
        assertThat(Files.readAllLines(out.resolve("data.csv")))
                .hasSize(201)
                .first()
                .isEqualTo("\"y\",\"d\",\"x\",\"f\"");
        JsonNode summary = new ObjectMapper().readTree(out.resolve("summary.json").toFile());
        // y is d + x to the last digit.
        assertThat(summary.at("/treatments/d/coefficient").asDouble()).isCloseTo(1, within(1e-10));
        assertThat(summary.at("/costs/0/tasks").asInt()).isEqualTo(4);
        refused(
                "--data %s:7:15: Object 'bones' not found".formatted(script),
                "--data=sql:%s?table=bones".formatted(script));
    }

    @Test
    void whatCannotBeIsRefusedInASentence() {
        String table = "--data=csv:" + directory.resolve("none.csv");
        refused(
                "--detach needs a cluster that outlives this command: pass --target, such as the"
                        + " address that levee cluster start prints",
                table,
                "--detach");
        refused(
                "--python python3 is for learners python:FILE, got --learner forest",
                table,
                "--python=python3",
                "--learner=forest");
        refused(
                "--data sql:none.sql does not exist; it must be a script of SQL",
                "--data=sql:none.sql");
        refused(
                "--learner-m: the learner python:none.py does not exist",
                table,
                "--learner-m=python:none.py");
    }
}
