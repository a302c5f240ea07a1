package dev.levee.estimation;

import java.io.Serializable;

/**
 * A repetition's result for one treatment. Its size does not depend on the number of observations.
 *
 * @param theta the estimate
 * @param standardError the standard error of {@code theta}
 * @param biasScale √(σ²ν²), the factor of an omitted variable's strength in the bias; NaN without a
 *     sensitivity analysis
 * @param biasVariance variance of the estimated scale
 * @param biasCovariance covariance of the estimated scale with {@code theta}
 * @param losses the loss of each nuisance function, in the order of {@link Estimate#functions}:
 *     root mean squared error, or log loss of a propensity
 * @param overlap counts of observations in 20 bins of the propensity, first untreated, then
 *     treated; empty without propensities
 * @param residuals counts of the outcome's residuals in 40 bins from −4 to 4 standard deviations;
 *     the outermost bins include all residuals beyond
 * @param residualDeviation standard deviation of these residuals
 */
public record TreatmentEstimate(
        double theta,
        double standardError,
        double biasScale,
        double biasVariance,
        double biasCovariance,
        double[] losses,
        int[] overlap,
        int[] residuals,
        double residualDeviation)
        implements Serializable {}
