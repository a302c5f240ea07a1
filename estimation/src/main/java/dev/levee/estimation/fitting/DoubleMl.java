package dev.levee.estimation.fitting;

import dev.levee.estimation.Confounding;
import dev.levee.estimation.EffectData;
import dev.levee.estimation.EffectModel;
import dev.levee.estimation.Estimate;
import dev.levee.estimation.FitTask;
import dev.levee.estimation.Multiplier;
import dev.levee.estimation.Nuisance;
import dev.levee.estimation.Procedure;
import dev.levee.estimation.RepetitionEstimate;
import dev.levee.estimation.Score;
import dev.levee.estimation.Specification;
import dev.levee.estimation.TaskTimes;
import dev.levee.estimation.learner.LearnerSpec;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

/**
 * Runs double machine learning in this process, without an engine:
 *
 * <pre>{@code
 * Estimate estimate = DoubleMl.plr(data).learner("forest").folds(5).repetitions(10).estimate();
 * double theta = estimate.effects().get(0).coefficient();
 * }</pre>
 *
 * <p>The Flink job of {@code estimation/flink} gives the same bits for the same data and settings.
 */
public final class DoubleMl {
    private final EffectData data;
    private final EffectModel model;
    private final Map<Nuisance, String> named = new EnumMap<>(Nuisance.class);
    private String learner = "linear";
    private Score score;
    private Procedure procedure = Procedure.DML2;
    private int folds = 5;
    private int repetitions = 1;
    private long seed = 1;
    private double trimming = Specification.TRIMMING;
    private double level = 0.95;
    private Multiplier multiplier;
    private int draws = Specification.DRAWS;
    private Confounding sensitivity = Confounding.DEFAULT;

    private DoubleMl(EffectModel model, EffectData data) {
        this.model = model;
        this.data = data;
        this.score = model.scores().get(0);
    }

    /** Creates a partially linear regression. */
    public static DoubleMl plr(EffectData data) {
        return of(EffectModel.PLR, data);
    }

    /** Creates a partially linear regression with an instrument. */
    public static DoubleMl pliv(EffectData data) {
        return of(EffectModel.PLIV, data);
    }

    /** Creates an interactive regression. */
    public static DoubleMl irm(EffectData data) {
        return of(EffectModel.IRM, data);
    }

    /** Creates an interactive regression with an instrument. */
    public static DoubleMl iivm(EffectData data) {
        return of(EffectModel.IIVM, data);
    }

    /** Creates the estimation of a model. */
    public static DoubleMl of(EffectModel model, EffectData data) {
        return new DoubleMl(model, data);
    }

    /** The current score. */
    public Score score() {
        return score;
    }

    /** Sets the score, one of the model's scores; the default is the model's first score. */
    public DoubleMl score(Score value) {
        score = value;
        return this;
    }

    /**
     * Sets the learner of all nuisance functions without their own learner; the default is {@code
     * linear}.
     */
    public DoubleMl learner(String value) {
        learner = value;
        return this;
    }

    /** Sets the learner of one nuisance function. */
    public DoubleMl learner(Nuisance nuisance, String value) {
        named.put(nuisance, value);
        return this;
    }

    /** Sets how folds are combined into one estimate; DML2 by default. */
    public DoubleMl procedure(Procedure value) {
        procedure = value;
        return this;
    }

    /** Sets the number of folds K; the default is 5. */
    public DoubleMl folds(int value) {
        folds = value;
        return this;
    }

    /** Sets the number of repetitions M; the default is 1. */
    public DoubleMl repetitions(int value) {
        repetitions = value;
        return this;
    }

    /** Sets the seed of folds, fits and bootstrap; the default is 1. */
    public DoubleMl seed(long value) {
        seed = value;
        return this;
    }

    /** Sets ε of the propensities' range [ε, 1 − ε]; the default is 0.01. */
    public DoubleMl trimming(double value) {
        trimming = value;
        return this;
    }

    /** Sets the level of confidence intervals; the default is 0.95. */
    public DoubleMl level(double value) {
        level = value;
        return this;
    }

    /** Requests joint intervals by a multiplier bootstrap; null for none. */
    public DoubleMl bootstrap(Multiplier value, int times) {
        multiplier = value;
        draws = times;
        return this;
    }

    /** Sets the assumed explanatory power of an omitted variable. */
    public DoubleMl sensitivity(Confounding value) {
        sensitivity = value;
        return this;
    }

    /**
     * The current settings.
     *
     * @throws IllegalArgumentException if the settings are not valid together; one sentence
     */
    public Specification specification() {
        Map<Nuisance, LearnerSpec> learners = new EnumMap<>(Nuisance.class);
        for (Nuisance each : score.nuisances()) {
            learners.put(each, LearnerSpec.of(named.getOrDefault(each, learner)));
        }
        for (Nuisance each : named.keySet()) {
            if (!score.nuisances().contains(each)) {
                throw new IllegalArgumentException(
                        "the score %s does not fit %s: it fits %s"
                                .formatted(
                                        score.label(),
                                        each.label(),
                                        String.join(
                                                ", ",
                                                score.nuisances().stream()
                                                        .map(Nuisance::label)
                                                        .toList())));
            }
        }
        return new Specification(
                model,
                score,
                procedure,
                folds,
                repetitions,
                seed,
                trimming,
                level,
                multiplier,
                draws,
                sensitivity,
                learners);
    }

    /**
     * Computes the estimate on the calling thread.
     *
     * @throws IllegalArgumentException if settings or data are wrong; one sentence
     * @throws IllegalStateException if a fit fails or an effect is not identified; one sentence
     * @throws CancellationException if the thread is interrupted
     */
    public Estimate estimate() {
        Specification specification = specification();
        DataCheck.check(data, specification);
        try (CrossFitting fitting =
                new CrossFitting(data, specification, FitTask.Size.REPETITION)) {
            fitting.check();
            return estimate(specification, fitting);
        }
    }

    private Estimate estimate(Specification specification, CrossFitting fitting) {
        RepetitionEstimator estimator = new RepetitionEstimator(data, specification, fitting);
        List<RepetitionEstimate> all = new ArrayList<>();
        int tasks = fitting.tasksPerRepetition();
        for (int repetition = 0; repetition < repetitions; repetition++) {
            int first = repetition * tasks;
            double[][] results = new double[tasks][];
            TaskTimes times = TaskTimes.NONE;
            for (int i = 0; i < tasks; i++) {
                long began = System.nanoTime();
                results[i] = fitting.run(first + i);
                times = times.plus((System.nanoTime() - began) / 1e9);
            }
            all.add(estimator.estimate(repetition, results, times));
        }
        return Estimate.of(
                data.size(),
                data.treatments().stream().map(EffectData.Column::name).toList(),
                fitting.functions(),
                specification,
                all);
    }
}
