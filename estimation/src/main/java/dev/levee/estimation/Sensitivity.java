package dev.levee.estimation;

import java.util.List;
import java.util.function.DoublePredicate;

/**
 * The sensitivity of an effect to an omitted variable (Chernozhukov et al. 2022).
 *
 * @param confounding the assumed explanatory power of the omitted variable
 * @param lower the effect's lower bound
 * @param upper the effect's upper bound
 * @param lowerLimit one-sided confidence limit of the lower bound
 * @param upperLimit one-sided confidence limit of the upper bound
 * @param robustness the share of both residual variances that the variable must explain for the
 *     bounds to contain the null hypothesis
 * @param robustnessWithConfidence the same share for the confidence limits of the bounds
 */
public record Sensitivity(
        Confounding confounding,
        double lower,
        double upper,
        double lowerLimit,
        double upperLimit,
        double robustness,
        double robustnessWithConfidence) {
    /** The largest share that is tried; a larger one counts as 1. */
    private static final double MOST = 1 - 1e-9;

    /** A bound and its one-sided confidence limit. */
    private record Bound(double value, double limit) {}

    /** True if every repetition has the numbers for a sensitivity analysis. */
    static boolean known(List<TreatmentEstimate> repetitions) {
        return repetitions.stream()
                .noneMatch(
                        each ->
                                Double.isNaN(each.biasScale())
                                        || Double.isNaN(each.biasVariance()));
    }

    static Sensitivity of(Specification specification, List<TreatmentEstimate> repetitions) {
        Confounding assumed = specification.sensitivity();
        double level = specification.level();
        Bound lower = bound(repetitions, assumed, level, -1);
        Bound upper = bound(repetitions, assumed, level, 1);
        double theta = bound(repetitions, assumed.explaining(0), level, 1).value();
        double side = theta > assumed.nullHypothesis() ? -1 : 1;
        return new Sensitivity(
                assumed,
                lower.value(),
                upper.value(),
                lower.limit(),
                upper.limit(),
                robustness(
                        share ->
                                contains(
                                        bound(repetitions, assumed.explaining(share), level, side)
                                                .value(),
                                        assumed,
                                        side)),
                robustness(
                        share ->
                                contains(
                                        bound(repetitions, assumed.explaining(share), level, side)
                                                .limit(),
                                        assumed,
                                        side)));
    }

    private static boolean contains(double bound, Confounding assumed, double side) {
        return side * (bound - assumed.nullHypothesis()) >= 0;
    }

    /**
     * One of the two bounds over all repetitions.
     *
     * @param side −1 for the lower bound, 1 for the upper bound
     */
    private static Bound bound(
            List<TreatmentEstimate> repetitions, Confounding assumed, double level, double side) {
        double strength = side * assumed.strength();
        double[] values = new double[repetitions.size()];
        double[] errors = new double[repetitions.size()];
        for (int m = 0; m < values.length; m++) {
            TreatmentEstimate each = repetitions.get(m);
            values[m] = each.theta() + strength * each.biasScale();
            double variance =
                    each.standardError() * each.standardError()
                            + 2 * strength * each.biasCovariance()
                            + strength * strength * each.biasVariance();
            errors[m] = Math.sqrt(Math.max(0, variance));
        }
        double value = Quantiles.median(values);
        double error = Aggregation.standardError(value, values, errors);
        return new Bound(value, value + side * Quantiles.normal(level) * error);
    }

    /** The smallest share at which a bound contains the null hypothesis. */
    private static double robustness(DoublePredicate contains) {
        if (contains.test(0)) {
            return 0;
        }
        double low = 0;
        double high = MOST;
        if (!contains.test(high)) {
            return 1;
        }
        while (high - low > 1e-12) {
            double middle = (low + high) / 2;
            if (contains.test(middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }
}
