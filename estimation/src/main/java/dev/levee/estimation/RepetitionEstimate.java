package dev.levee.estimation;

import java.io.Serializable;

/**
 * The result of one repetition.
 *
 * @param repetition index of the sample split
 * @param treatments in the order of the data
 * @param criticalValue quantile of the largest |t| over treatments; NaN without a bootstrap
 * @param fits number of fits
 * @param fitSeconds total time of the fits
 */
public record RepetitionEstimate(
        int repetition,
        TreatmentEstimate[] treatments,
        double criticalValue,
        int fits,
        double fitSeconds)
        implements Serializable {}
