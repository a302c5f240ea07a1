package dev.levee.estimation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The combined result of all repetitions.
 *
 * @param observations number of observations, n
 * @param specification the specification of the estimate
 * @param functions the fitted functions, in the order of losses
 * @param effects one effect for each treatment
 * @param criticalValue critical value of the joint intervals, the median over repetitions; NaN
 *     without a bootstrap
 * @param fits number of fits
 * @param times durations of the tasks that ran the fits; only this and the next value differ
 *     between two runs
 * @param longestRepetition the largest sum, in seconds, of the durations of one repetition's tasks
 */
public record Estimate(
        int observations,
        Specification specification,
        List<NuisanceFunction> functions,
        List<Effect> effects,
        double criticalValue,
        int fits,
        TaskTimes times,
        double longestRepetition) {
    /**
     * Aggregates repetitions.
     *
     * @param treatments names of the treatments
     * @param functions the fitted functions
     * @param repetitions the repetitions, in any order
     */
    public static Estimate of(
            int observations,
            List<String> treatments,
            List<NuisanceFunction> functions,
            Specification specification,
            List<RepetitionEstimate> repetitions) {
        List<RepetitionEstimate> ordered = new ArrayList<>(repetitions);
        ordered.sort(Comparator.comparingInt(RepetitionEstimate::repetition));
        double critical =
                specification.multiplier() == null
                        ? Double.NaN
                        : Quantiles.median(
                                ordered.stream()
                                        .mapToDouble(RepetitionEstimate::criticalValue)
                                        .toArray());
        List<Effect> effects = new ArrayList<>();
        for (int t = 0; t < treatments.size(); t++) {
            int index = t;
            effects.add(
                    Effect.of(
                            treatments.get(t),
                            specification,
                            ordered.stream().map(each -> each.treatments()[index]).toList(),
                            critical));
        }
        return new Estimate(
                observations,
                specification,
                List.copyOf(functions),
                effects,
                critical,
                ordered.stream().mapToInt(RepetitionEstimate::fits).sum(),
                ordered.stream()
                        .map(RepetitionEstimate::times)
                        .reduce(TaskTimes.NONE, TaskTimes::plus),
                ordered.stream().mapToDouble(each -> each.times().seconds()).max().orElse(0));
    }

    /** The effect of a treatment. */
    public Effect effect(String treatment) {
        return effects.stream()
                .filter(each -> each.treatment().equals(treatment))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("there is no treatment " + treatment));
    }
}
