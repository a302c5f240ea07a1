package dev.levee.estimation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The combined result of all repetitions.
 *
 * @param observations n
 * @param specification how it was estimated
 * @param effects one per treatment
 * @param criticalValue of the joint intervals, the median over repetitions; NaN without a bootstrap
 * @param fits number of fits
 * @param fitSeconds total time of the fits; the only value that differs between two runs
 */
public record Estimate(
        int observations,
        Specification specification,
        List<Effect> effects,
        double criticalValue,
        int fits,
        double fitSeconds) {
    /**
     * Aggregates repetitions.
     *
     * @param treatments their names
     * @param repetitions in any order
     */
    public static Estimate of(
            int observations,
            List<String> treatments,
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
                effects,
                critical,
                ordered.stream().mapToInt(RepetitionEstimate::fits).sum(),
                ordered.stream().mapToDouble(RepetitionEstimate::fitSeconds).sum());
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
