package dev.levee.estimation;

import java.util.List;

/**
 * A unit of work: the fit of one nuisance function on the complement of one part, or all fits of a
 * repetition. Tasks are numbered by repetition, so few repetitions are open at a time.
 *
 * @param treatment index of the treatment
 * @param repetition index of the sample split
 * @param part index of the part that is predicted, or {@link #ALL}
 * @param function the fitted function; null for all functions
 */
public record FitTask(int treatment, int repetition, int part, NuisanceFunction function) {
    /** Value of {@code part} if the task is a whole repetition. */
    public static final int ALL = -1;

    /** The size of a task. */
    public enum Size {
        /**
         * One nuisance function on the complement of one part: an estimate has folds × repetitions
         * × nuisances tasks.
         */
        FOLD,
        /** All folds and nuisance functions of a repetition. */
        REPETITION;

        /** The smallest size with which tasks can compute a score. */
        public static Size of(Score score) {
            return score == Score.IV_TYPE ? REPETITION : FOLD;
        }
    }

    /** Number of tasks of a repetition. */
    public static int perRepetition(Specification specification, EffectData data, Size size) {
        int treatments = data.treatments().size();
        return size == Size.REPETITION
                ? treatments
                : treatments
                        * parts(specification, data)
                        * NuisanceFunction.of(specification.score(), data).size();
    }

    /** Number of fits of a repetition. */
    public static int fitsPerRepetition(Specification specification, EffectData data) {
        return perRepetition(specification, data, Size.FOLD);
    }

    private static int parts(Specification specification, EffectData data) {
        int folds = specification.folds();
        return data.clusters().size() == 2 ? folds * folds : folds;
    }

    /** The task with a number. */
    public static FitTask of(int number, Specification specification, EffectData data, Size size) {
        int perRepetition = perRepetition(specification, data, size);
        int repetition = number / perRepetition;
        int rest = number % perRepetition;
        if (size == Size.REPETITION) {
            return new FitTask(rest, repetition, ALL, null);
        }
        List<NuisanceFunction> functions = NuisanceFunction.of(specification.score(), data);
        int parts = parts(specification, data);
        return new FitTask(
                rest / (parts * functions.size()),
                repetition,
                rest / functions.size() % parts,
                functions.get(rest % functions.size()));
    }

    /** A description of the task for messages. */
    public String words(EffectData data) {
        String of = data.treatments().get(treatment).name();
        return function == null
                ? "treatment %s, repetition %d".formatted(of, repetition + 1)
                : "%s, treatment %s, repetition %d, fold %d"
                        .formatted(function.label(), of, repetition + 1, part + 1);
    }
}
