package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What levee estimate refuses before anything starts, in one sentence. */
class EstimateOptionsTest {
    @TempDir Path directory;
    private Path table;

    @BeforeEach
    void write() throws IOException {
        table = directory.resolve("table.csv");
        StringBuilder csv = new StringBuilder("wage,training,age,region,part\n");
        for (int i = 0; i < 60; i++) {
            csv.append(
                    String.format(
                            Locale.ROOT,
                            "%s,%d,%d,R%d,%d%n",
                            Math.sin(i) + i % 3,
                            i % 2,
                            20 + i % 11,
                            i % 4,
                            i % 3));
        }
        Files.writeString(table, csv);
    }

    private String refused(String... options) {
        List<String> arguments = new ArrayList<>(List.of("estimate"));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of("--output", directory.resolve("out").toString()));
        CommandLineRun run = CommandLineRun.of(arguments.toArray(String[]::new));
        assertThat(run.code()).as(run.err()).isEqualTo(2);
        assertThat(directory.resolve("out")).doesNotExist();
        return run.sentence();
    }

    private String refusedWithData(String... options) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--data",
                                "csv:" + table,
                                "--outcome",
                                "wage",
                                "--covariates",
                                "age"));
        arguments.addAll(List.of(options));
        return refused(arguments.toArray(String[]::new));
    }

    @Test
    void whatIsMissing() {
        assertThat(refused("--outcome", "wage"))
                .isEqualTo("--data is missing: give a table such as csv:bonus.csv");
        assertThat(refusedWithData())
                .isEqualTo("--treatment is missing: give a column of the table");
        assertThat(
                        refused(
                                "--data",
                                "csv:" + directory.resolve("no.csv"),
                                "--outcome",
                                "wage",
                                "--treatment",
                                "training"))
                .endsWith("no.csv does not exist or cannot be read");
    }

    @Test
    void columnsThatAreNotThereOrNoNumbers() {
        assertThat(refusedWithData("--treatment", "trainng"))
                .isEqualTo(
                        "--treatment must be one of wage, training, age, region, part, got trainng;"
                                + " did you mean training?");
        assertThat(refusedWithData("--treatment", "region"))
                .isEqualTo(
                        "--treatment region holds text such as R0: write it as numbers, or name"
                                + " other columns");
        assertThat(refusedWithData("--treatment", "age"))
                .isEqualTo("--covariates age is named twice: a column has one role");
        assertThat(refusedWithData("--treatment", "part", "--model", "irm"))
                .isEqualTo("the treatment part must be 0 or 1 for the model irm, got 2 in row 3");
    }

    @Test
    void optionsThatDoNotGoTogether() {
        String[] training = {"--treatment", "training"};
        assertThat(refusedWithData(with(training, "--learner", "forst")))
                .isEqualTo(
                        "--learner: unknown learner forst: known are boosting, elastic-net, forest,"
                                + " lasso, linear, logistic and python:FILE; did you mean forest?");
        assertThat(refusedWithData(with(training, "--score", "ate")))
                .isEqualTo(
                        "--score: the model plr has the score partialling-out or iv-type, got ate");
        assertThat(refusedWithData(with(training, "--learner-g", "linear")))
                .isEqualTo(
                        "--learner-g is not for the score partialling-out, which fits ml_l, ml_m");
        assertThat(refusedWithData(with(training, "--bootstrap-draws", "200")))
                .isEqualTo("the draws of the bootstrap are for a bootstrap, got 200 without one");
        assertThat(refusedWithData(with(training, "--folds", "1")))
                .startsWith("--folds must be a whole number from 2 to 1000000, got 1");
        assertThat(refusedWithData(with(training, "--folds", "61")))
                .isEqualTo(
                        "the number of folds must be from 2 to the number of observations, which is"
                                + " 60, got 61");
        assertThat(refusedWithData(with(training, "--model", "pliv")))
                .isEqualTo("the model pliv needs an instrument");
        assertThat(refusedWithData(with(training, "--score", "iv-type", "--task", "fold")))
                .startsWith("the score iv-type needs tasks that are repetitions");
        assertThat(refusedWithData(with(training, "--fold-column", "part", "--folds", "5")))
                .isEqualTo("--fold-column part has 3 folds, but --folds is 5: give one of them");
        assertThat(refusedWithData(with(training, "--cluster", "region")))
                .isEqualTo(
                        "a cluster of region would fill a fold: 5 folds need at least 10 clusters,"
                                + " got 4");
        assertThat(refusedWithData(with(training, "--task-memory", "much")))
                .contains("--task-memory");
        assertThat(refusedWithData(with(training, "--resume", directory.toString())))
                .isEqualTo(
                        "--resume %s has no completed checkpoint of this estimate: use the same data, options and version of Levee, or start over without --resume"
                                .formatted(directory));
    }

    @Test
    void boundsThatNobodyCouldKeep() {
        String[] shared = {"--treatment", "training", "--target", "http://127.0.0.1:1"};
        assertThat(refusedWithData("--treatment", "training", "--elastic", "min=1,max=2"))
                .startsWith("--elastic needs a cluster that jobs share: pass --target");
        assertThat(refusedWithData(with(shared, "--elastic", "min=3,max=2")))
                .isEqualTo(
                        "--elastic must be like min=1,max=8, with a min of at most max, got"
                                + " min=3,max=2");
        assertThat(refusedWithData(with(shared, "--elastic", "min=1,max=129")))
                .isEqualTo("--elastic allows an estimate at most 128 slots, got max=129");
        assertThat(refusedWithData(with(shared, "--elastic", "min=1,max=2", "--parallelism", "3")))
                .isEqualTo(
                        "--parallelism of an elastic estimate is its initial number of slots, from"
                                + " 1 to 2, got 3");
    }

    private static String[] with(String[] some, String... more) {
        List<String> all = new ArrayList<>(List.of(some));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    @Test
    void aFolderWithOtherFiles() throws IOException {
        Path out = Files.createDirectory(directory.resolve("notes"));
        Files.writeString(out.resolve("diary.txt"), "");
        CommandLineRun run =
                CommandLineRun.of(
                        "estimate",
                        "--data",
                        "csv:" + table,
                        "--outcome=wage",
                        "--treatment=training",
                        "--covariates=age",
                        "--output=" + out);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.sentence())
                .isEqualTo(
                        "--output %s holds diary.txt, which an estimate would not have written: choose an empty folder, or pass --overwrite to write there anyway"
                                .formatted(out));
    }

    @Test
    void aDryRunPrintsWhatAFileMaySay() throws IOException {
        CommandLineRun run =
                CommandLineRun.of(
                        "estimate",
                        "--data=csv:t.csv",
                        "--outcome=wage",
                        "--treatment=a,b",
                        "--learner=forest(trees=10)",
                        "--dry-run");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("learner: forest(trees=10)", "repetitions: 1");
        Path file = Files.writeString(directory.resolve("run.yaml"), run.out());
        assertThat(CommandLineRun.of("estimate", "--config", file.toString(), "--dry-run").out())
                .isEqualTo(run.out());
    }

    /** No other test of this module starts an estimate of this model without an output folder. */
    @Test
    void whatIsRefusedLeavesNoFolder() {
        CommandLineRun run =
                CommandLineRun.of(
                        "estimate",
                        "--data=csv:" + table,
                        "--outcome=wage",
                        "--treatment=training",
                        "--instrument=part",
                        "--covariates=age",
                        "--model=pliv",
                        "--resume=" + directory);
        assertThat(run.code()).as(run.err()).isEqualTo(2);
        assertThat(run.sentence()).contains("has no completed checkpoint of this estimate");
        String[] folders = Path.of("levee-runs").toFile().list();
        assertThat(folders == null ? new String[0] : folders)
                .noneMatch(each -> each.endsWith("-pliv"));
    }

    @Test
    void resultsStayIfTheClusterDoesNotAnswer() throws IOException {
        Path summary = Files.writeString(directory.resolve("summary.json"), "{}");
        CommandLineRun run =
                CommandLineRun.of(
                        "estimate",
                        "--data=csv:" + table,
                        "--outcome=wage",
                        "--treatment=training",
                        "--covariates=age",
                        "--target=http://127.0.0.1:1",
                        "--overwrite",
                        "--output=" + directory);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .contains("--target http://127.0.0.1:1 does not answer like a Flink cluster");
        assertThat(summary).exists();
    }
}
