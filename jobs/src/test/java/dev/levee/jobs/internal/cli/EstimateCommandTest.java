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
}
