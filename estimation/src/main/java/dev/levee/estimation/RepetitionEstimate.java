package dev.levee.estimation;

import java.io.Serializable;

/**
 * The result of one repetition.
 *
 * @param repetition index of the sample split
 * @param treatments the estimates of the treatments, in the order of the data
 * @param criticalValue quantile of the largest |t| over treatments; NaN without a bootstrap
 * @param fits number of fits
 * @param times durations of the tasks that ran the fits
 */
public record RepetitionEstimate(
        int repetition,
        TreatmentEstimate[] treatments,
        double criticalValue,
        int fits,
        TaskTimes times)
        implements Serializable {}
