package dev.levee.estimation;

import dev.levee.estimation.learner.LearnerSpec;

import java.io.Serializable;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Everything about an estimate except its data.
 *
 * @param model the assumptions
 * @param score the estimand, one of the model's
 * @param procedure how folds are combined
 * @param folds number of folds K, at least 2
 * @param repetitions number of sample splits M, at least 1
 * @param seed the seed of folds, fits and bootstrap
 * @param trimming ε: propensities are clipped to [ε, 1 − ε]; {@link #TRIMMING} for a score without
 *     propensities
 * @param level level of confidence intervals, within (0, 1)
 * @param multiplier weights of the bootstrap for joint intervals; null for no bootstrap
 * @param draws number of draws of the bootstrap; {@link #DRAWS} without a bootstrap
 * @param sensitivity assumed explanatory power of an omitted variable; the default for a score
 *     without sensitivity
 * @param learners learner of each nuisance function of the score
 */
public record Specification(
        EffectModel model,
        Score score,
        Procedure procedure,
        int folds,
        int repetitions,
        long seed,
        double trimming,
        double level,
        Multiplier multiplier,
        int draws,
        Confounding sensitivity,
        Map<Nuisance, LearnerSpec> learners)
        implements Serializable {
    /** The default trimming of propensities. */
    public static final double TRIMMING = 0.01;

    /** The default number of draws of the bootstrap. */
    public static final int DRAWS = 500;

    private static final int MOST = 1_000_000;

    /**
     * Checks everything that can be checked without data.
     *
     * @throws IllegalArgumentException if something is invalid; one sentence
     */
    public Specification {
        learners = new EnumMap<>(learners);
        if (!model.scores().contains(score)) {
            model.score(score.label());
        }
        if (folds < 2) {
            throw new IllegalArgumentException(
                    "the number of folds must be at least 2, got " + folds);
        }
        if (repetitions < 1 || repetitions > MOST) {
            throw new IllegalArgumentException(
                    "the number of repetitions must be from 1 to %d, got %d"
                            .formatted(MOST, repetitions));
        }
        if (!(trimming > 0 && trimming < 0.5)) {
            throw new IllegalArgumentException(
                    "the trimming of propensities must be between 0 and 0.5, got " + trimming);
        }
        if (!(level > 0 && level < 1)) {
            throw new IllegalArgumentException(
                    "the level of intervals must be between 0 and 1, got " + level);
        }
        if (draws < 1 || draws > MOST) {
            throw new IllegalArgumentException(
                    "the draws of the bootstrap must be from 1 to %d, got %d"
                            .formatted(MOST, draws));
        }
        if (multiplier == null && draws != DRAWS) {
            throw new IllegalArgumentException(
                    "the draws of the bootstrap are for a bootstrap, got %d without one"
                            .formatted(draws));
        }
        String name = model.name().toLowerCase(Locale.ROOT);
        if (!score.hasPropensity() && trimming != TRIMMING) {
            throw new IllegalArgumentException(
                    "the trimming of propensities is for irm and iivm, got %s for the model %s"
                            .formatted(trimming, name));
        }
        if (!score.hasSensitivity() && !sensitivity.equals(Confounding.DEFAULT)) {
            throw new IllegalArgumentException(
                    "cf-y, cf-d, rho and the null hypothesis are for plr and irm, got values for"
                            + " the model "
                            + name);
        }
        for (Nuisance each : score.nuisances()) {
            if (!learners.containsKey(each)) {
                throw new IllegalArgumentException(
                        "the score %s needs a learner for %s"
                                .formatted(score.label(), each.label()));
            }
        }
    }
}
