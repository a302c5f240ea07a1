package dev.levee.gar;

import java.io.Serializable;

/** How the mapped rows are combined into one, per coordinate. */
public sealed interface Reduction extends Serializable {
    /** Mean of the rows. */
    record Mean() implements Reduction {}

    /**
     * Median of the rows; for an even number the mean of the two middle values, or the lower one.
     */
    record Median(boolean lower) implements Reduction {}

    /** Mean after dropping the {@code trim} smallest and the {@code trim} largest values. */
    record TrimmedMean(int trim) implements Reduction {}

    /** Mean of the {@code keep} values closest to the median. */
    record MeanAroundMedian(int keep) implements Reduction {}

    /** Mean of the {@code keep} values closest to the lower median, as PyTorch computes medians. */
    record MeanAroundLowerMedian(int keep) implements Reduction {}

    /**
     * Mean of the {@code keep} values closest to the mean that drops {@code trim} values per side.
     */
    record MeanAroundTrimmedMean(int trim, int keep) implements Reduction {}
}
