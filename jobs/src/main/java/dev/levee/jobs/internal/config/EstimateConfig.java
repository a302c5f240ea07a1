package dev.levee.jobs.internal.config;

import dev.levee.estimation.Confounding;
import dev.levee.estimation.EffectModel;
import dev.levee.estimation.FitTask;
import dev.levee.estimation.Multiplier;
import dev.levee.estimation.Nuisance;
import dev.levee.estimation.Procedure;
import dev.levee.estimation.Specification;
import dev.levee.estimation.fitting.DoubleMl;
import dev.levee.estimation.flink.EffectColumns;
import dev.levee.estimation.learner.LearnerSpec;
import dev.levee.jobs.internal.config.setting.Setting;
import dev.levee.jobs.internal.config.setting.SettingsTable;
import dev.levee.jobs.internal.config.setting.Sizes;
import dev.levee.jobs.internal.config.setting.Values;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The settings of an estimate of effects: data, model and learners. One class because each setting
 * is declared once, with its range and its help text.
 */
public record EstimateConfig(
        @Setting(
                        group = "Data",
                        label = "URI",
                        help =
                                "Table on any file system that Flink supports: ${bundle:tables}, or"
                                        + " sql:FILE, a script that ends with a query.")
                String data,
        @Setting(label = "COLUMN", help = "Outcome Y: a numeric column, possibly only 0 and 1.")
                String outcome,
        @Setting(
                        label = "COLUMN",
                        help =
                                "Treatment D. Several, separated by commas, are estimated "
                                        + "one at a time, with the others as covariates.")
                List<String> treatment,
        @Setting(
                        label = "COLUMNS",
                        derived = "all other columns",
                        help = "Covariates X, separated by commas.")
                List<String> covariates,
        @Setting(
                        label = "COLUMN",
                        help =
                                "Instrument Z of the models pliv and iivm; pliv takes several, "
                                        + "separated by commas.")
                List<String> instrument,
        @Setting(
                        label = "COLUMNS",
                        help =
                                "One or two cluster columns, separated by a comma. Standard errors"
                                        + " allow for dependence within clusters.")
                List<String> cluster,
        @Setting(
                        label = "COLUMN",
                        derived = "folds are drawn",
                        help =
                                "Column that assigns the folds; with two cluster columns, two "
                                        + "columns, separated by a comma.")
                List<String> foldColumn,
        @Setting(
                        group = "Estimate",
                        label = "MODEL",
                        fallback = "plr",
                        help =
                                "plr (partially linear regression), pliv (plr with an "
                                        + "instrument), irm (interactive regression) or iivm (irm with "
                                        + "an instrument).")
                EffectModel model,
        @Setting(
                        label = "SCORE",
                        derived = "partialling-out, ate or late",
                        help =
                                "plr: partialling-out or iv-type. irm: ate, the average "
                                        + "effect, or att, the effect on the treated.")
                String score,
        @Setting(
                        label = "NAME",
                        fallback = "dml2",
                        help =
                                "dml2, one estimate from the scores of all folds, or dml1, "
                                        + "the mean of the folds' estimates.")
                Procedure procedure,
        @Setting(
                        label = "K",
                        derived = "5, or those of --fold-column",
                        range = "[2, 1000000]",
                        help = "Number of folds in a sample split.")
                Integer folds,
        @Setting(
                        label = "M",
                        fallback = "1",
                        range = "[1, 1000000]",
                        help =
                                "Number of sample splits; the result is the median of their "
                                        + "estimates.")
                int repetitions,
        @Setting(
                        label = "N",
                        fallback = "1",
                        range = "[0, 9007199254740991]",
                        help = "Seed of folds, fits and bootstrap.")
                long seed,
        @Setting(
                        group = "Learners",
                        label = "LEARNER",
                        fallback = "linear",
                        help =
                                "Learner of all nuisance functions: linear, logistic, lasso,"
                                        + " elastic-net, forest or boosting, with optional "
                                        + "parameters such as forest(trees=500,depth=5), or "
                                        + "python:FILE. Values separated by | are tuned by "
                                        + "cross-validation.")
                String learner,
        @Setting(label = "LEARNER", derived = "--learner", help = "Learner of the outcome, E[Y|X].")
                String learnerL,
        @Setting(
                        label = "LEARNER",
                        derived = "--learner",
                        help = "Learner of the treatment or instrument, E[D|X] or E[Z|X].")
                String learnerM,
        @Setting(
                        label = "LEARNER",
                        derived = "--learner",
                        help =
                                "Learner of the outcome within each arm, or of Y − θD for "
                                        + "iv-type.")
                String learnerG,
        @Setting(
                        label = "LEARNER",
                        derived = "--learner",
                        help = "Learner of the treatment in models with an instrument.")
                String learnerR,
        @Setting(
                        label = "INTERPRETER",
                        derived = "python3",
                        help =
                                "Interpreter of the learners python:FILE, such as "
                                        + "venv/bin/python, on every machine that runs fits.")
                String python,
        @Setting(
                        group = "Inference",
                        label = "SHARE",
                        fallback = "0.95",
                        range = "(0, 1)",
                        help = "Confidence level of the intervals.")
                double level,
        @Setting(
                        label = "EPS",
                        fallback = "" + Specification.TRIMMING,
                        range = "(0, 0.5)",
                        help = "Propensities are clipped to [EPS, 1 − EPS].")
                double trimming,
        @Setting(
                        label = "NAME",
                        derived = "none",
                        help =
                                "Multiplier bootstrap for joint intervals of several "
                                        + "treatments: none, normal, wild or bayes.")
                Multiplier bootstrap,
        @Setting(
                        label = "N",
                        fallback = "" + Specification.DRAWS,
                        range = "[1, 1000000]",
                        help = "Number of bootstrap draws.")
                int bootstrapDraws,
        @Setting(
                        label = "SHARE",
                        fallback = "0.03",
                        range = "[0, 1)",
                        help =
                                "Assumed share of the outcome's residual variance that an "
                                        + "omitted variable explains.")
                double cfY,
        @Setting(
                        label = "SHARE",
                        fallback = "0.03",
                        range = "[0, 1)",
                        help =
                                "Assumed share of the treatment's residual variance that an "
                                        + "omitted variable explains.")
                double cfD,
        @Setting(
                        label = "R",
                        fallback = "1",
                        range = "[-1, 1]",
                        help = "Correlation of these two effects; 1 is the worst case.")
                double rho,
        @Setting(
                        label = "N",
                        fallback = "0",
                        range = "[-1000000000, 1000000000]",
                        help = "Effect under the null hypothesis, for the robustness values.")
                double nullHypothesis,
        @Setting(
                        group = "Tasks",
                        label = "SIZE",
                        derived = "fold, or repetition for iv-type",
                        help =
                                "Unit of work of a slot: fold, one fit; or repetition, all "
                                        + "fits of a sample split.")
                FitTask.Size task,
        @Setting(
                        label = "BOUNDS",
                        derived = "--parallelism",
                        help =
                                "Let levee allocate change the number of slots within bounds: "
                                        + "min=1,max=8. Results do not depend on it.")
                String elastic,
        @Setting(label = "SIZE", fallback = "1g", help = "Memory of a task in the cost model.")
                String taskMemory,
        @Setting(
                        label = "PRICE",
                        fallback = "0.0000166667",
                        range = "[0, 1000000]",
                        help =
                                "Price of a GB-second in the cost model; the default is the "
                                        + "AWS Lambda price in US dollars.")
                double gbSecondPrice) {

    /** All settings of this record. */
    public static final SettingsTable<EstimateConfig> SETTINGS =
            SettingsTable.of(EstimateConfig.class);

    private static final int FOLDS = 5;
    private static final double GIGABYTE = 1L << 30;
    private static final String PYTHON = "python:";

    /**
     * The columns of the data by role.
     *
     * @throws IllegalArgumentException if a needed column is not given; one sentence
     */
    public EffectColumns columns() {
        require("--data", data, "a table such as csv:bonus.csv");
        require("--outcome", outcome, "a column of the table");
        List<String> treatments = split(treatment);
        require("--treatment", treatments.isEmpty() ? null : "", "a column of the table");
        return new EffectColumns(
                data,
                outcome,
                treatments,
                split(instrument),
                split(covariates),
                split(cluster),
                split(foldColumn));
    }

    private static void require(String option, String value, String what) {
        if (value == null) {
            throw new IllegalArgumentException(option + " is missing: give " + what);
        }
    }

    private static List<String> split(List<String> values) {
        List<String> all = new ArrayList<>();
        for (String value : values) {
            Arrays.stream(value.split(",")).map(String::strip).forEach(all::add);
        }
        all.removeIf(String::isEmpty);
        return all;
    }

    /**
     * The specification of the estimate.
     *
     * @param givenFolds number of folds in the column of {@code --fold-column}; 0 if folds are
     *     drawn at random
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public Specification specification(int givenFolds) {
        if (givenFolds > 0 && folds != null && folds != givenFolds) {
            throw new IllegalArgumentException(
                    "--fold-column %s has %d folds, but --folds is %d: give one of them"
                            .formatted(String.join(",", foldColumn), givenFolds, folds));
        }
        int drawn = folds == null ? FOLDS : folds;
        DoubleMl settings =
                DoubleMl.of(model, null)
                        .procedure(procedure)
                        .folds(givenFolds == 0 ? drawn : givenFolds)
                        .repetitions(repetitions)
                        .seed(seed)
                        .trimming(trimming)
                        .level(level)
                        .sensitivity(new Confounding(cfY, cfD, rho, nullHypothesis));
        if (score != null) {
            settings.score(Values.named("--score", () -> model.score(score)));
        }
        checkPython();
        settings.learner(checked("--learner", learner));
        set(settings, "--learner-l", learnerL, Nuisance.L);
        set(settings, "--learner-m", learnerM, Nuisance.M);
        set(settings, "--learner-g", learnerG, Nuisance.G, Nuisance.G0, Nuisance.G1);
        set(settings, "--learner-r", learnerR, Nuisance.R, Nuisance.R0, Nuisance.R1);
        return settings.bootstrap(bootstrap, bootstrapDraws).specification();
    }

    private void checkPython() {
        if (python != null
                && Stream.of(learner, learnerL, learnerM, learnerG, learnerR)
                        .filter(Objects::nonNull)
                        .noneMatch(each -> each.startsWith(PYTHON))) {
            throw new IllegalArgumentException(
                    "--python %s is for learners python:FILE, got --learner %s"
                            .formatted(python, learner));
        }
    }

    private String checked(String option, String given) {
        String text = interpreted(given);
        Values.named(option, () -> LearnerSpec.of(text));
        return text;
    }

    /** Adds the Python interpreter to the text of a learner that needs it. */
    private String interpreted(String text) {
        return python == null || !text.startsWith(PYTHON)
                ? text
                : text
                        + (text.contains("?") ? "&" : "?")
                        + "python="
                        + URLEncoder.encode(python, StandardCharsets.UTF_8);
    }

    private void set(DoubleMl settings, String option, String text, Nuisance... nuisances) {
        if (text == null) {
            return;
        }
        String checked = checked(option, text);
        List<Nuisance> fitted =
                Arrays.stream(nuisances).filter(settings.score().nuisances()::contains).toList();
        if (fitted.isEmpty()) {
            throw new IllegalArgumentException(
                    "%s is not for the score %s, which fits %s"
                            .formatted(
                                    option,
                                    settings.score().label(),
                                    String.join(
                                            ", ",
                                            settings.score().nuisances().stream()
                                                    .map(Nuisance::label)
                                                    .toList())));
        }
        fitted.forEach(each -> settings.learner(each, checked));
    }

    /** The size of a task: the given one, or one that depends on the score. */
    public FitTask.Size size(Specification specification) {
        return task != null ? task : FitTask.Size.of(specification.score());
    }

    /**
     * The slots between which an allocator may choose; null if the number is fixed.
     *
     * @throws IllegalArgumentException if the value is invalid; one sentence
     */
    public ElasticBounds slots() {
        return elastic == null ? null : ElasticBounds.ofSlots(elastic.replace(" ", ""));
    }

    /**
     * Memory of a task in the cost model, in gigabytes.
     *
     * @throws IllegalArgumentException if the value is invalid; one sentence
     */
    public double taskGigabytes() {
        return Sizes.bytes("--task-memory", taskMemory) / GIGABYTE;
    }
}
