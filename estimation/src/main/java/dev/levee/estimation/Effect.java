package dev.levee.estimation;

import java.util.List;

/**
 * The effect of one treatment.
 *
 * @param treatment the treatment's column
 * @param coefficient the median over repetitions
 * @param standardError √(median((θ_m − θ)² + se_m²)) over repetitions m
 * @param t coefficient divided by standard error
 * @param p two-sided p-value of the hypothesis of no effect, by the normal distribution
 * @param lower lower end of the confidence interval
 * @param upper upper end of the confidence interval
 * @param jointLower lower end of the interval that holds jointly for all treatments; NaN without a
 *     bootstrap
 * @param jointUpper upper end of this interval
 * @param losses the loss of each nuisance function, in the order of {@link Estimate#functions};
 *     each is a mean over repetitions
 * @param sensitivity sensitivity to an omitted variable; null if the model has none, if
 *     propensities are so extreme that an estimated moment is not positive, or if the outcome has
 *     no residuals
 * @param repetitions the estimates of the repetitions
 */
public record Effect(
        String treatment,
        double coefficient,
        double standardError,
        double t,
        double p,
        double lower,
        double upper,
        double jointLower,
        double jointUpper,
        double[] losses,
        Sensitivity sensitivity,
        List<TreatmentEstimate> repetitions) {
    static Effect of(
            String treatment,
            Specification specification,
            List<TreatmentEstimate> repetitions,
            double criticalValue) {
        double[] thetas = repetitions.stream().mapToDouble(TreatmentEstimate::theta).toArray();
        double[] errors =
                repetitions.stream().mapToDouble(TreatmentEstimate::standardError).toArray();
        double theta = Quantiles.median(thetas);
        double error = Aggregation.standardError(theta, thetas, errors);
        double half = Quantiles.normal((1 + specification.level()) / 2) * error;
        double joint = criticalValue * error;
        double t = theta / error;
        double[] losses = new double[repetitions.get(0).losses().length];
        for (TreatmentEstimate each : repetitions) {
            for (int q = 0; q < losses.length; q++) {
                losses[q] += each.losses()[q] / repetitions.size();
            }
        }
        return new Effect(
                treatment,
                theta,
                error,
                t,
                2 * Quantiles.normalTail(Math.abs(t)),
                theta - half,
                theta + half,
                theta - joint,
                theta + joint,
                losses,
                Sensitivity.known(repetitions) ? Sensitivity.of(specification, repetitions) : null,
                List.copyOf(repetitions));
    }
}
