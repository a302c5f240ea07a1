package dev.levee.estimation;

import java.io.Serializable;

/**
 * A repetition's result for one treatment; its size does not depend on the number of observations.
 *
 * @param theta the estimate
 * @param standardError its standard error
 * @param biasScale √(σ²ν²), which an omitted variable's strength multiplies; NaN without a
 *     sensitivity analysis
 * @param biasVariance variance of the estimate of this scale
 * @param biasCovariance its covariance with the estimate
 * @param losses the losses of each nuisance function, in the order of {@link Estimate#functions}:
 *     root mean squared error, or log loss of a propensity
 * @param overlap observations by twentieths of the propensity, untreated before treated; empty
 *     without propensities
 * @param residuals counts of the outcome's residuals, in 40 bins from −4 to 4 standard deviations;
 *     the outermost include the rest
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
