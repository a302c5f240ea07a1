package dev.levee.learners;

import java.util.Locale;

/**
 * A score of a model's outputs on samples, besides their loss. Scores are shown in this order.
 * Models are compared by the first score that their task has.
 */
public enum Score {
    /**
     * Share of samples whose largest output is that of their class. For targets of 0 and 1, the
     * share of targets that are on the same side of one half as the output's probability.
     */
    ACCURACY("accuracy", true, true),

    /**
     * Area under the receiver operating characteristic: how often a sample with target 1 has a
     * larger output than a sample with target 0. Equal outputs count one half (Hanley, McNeil,
     * Radiology 143, 1982). With several targets, the mean over the targets that have both values.
     */
    AUC("AUC", true, false),

    /** Harmonic mean of precision and recall of target 1, over all targets together (micro). */
    F1("F1", true, false),

    /** Root of the mean squared error, over all targets together. */
    RMSE("RMSE", false, false),

    /** Mean absolute error, over all targets together. */
    MAE("MAE", false, false),

    /**
     * Share of a target's variance that the output explains, 1 − Σ(y − o)² / Σ(y − ȳ)². With
     * several targets, their mean.
     */
    R2("R²", true, false);

    private final String label;
    private final boolean higherIsBetter;
    private final boolean share;

    Score(String label, boolean higherIsBetter, boolean share) {
        this.label = label;
        this.higherIsBetter = higherIsBetter;
        this.share = share;
    }

    /** The score's name in reports. */
    public String label() {
        return label;
    }

    /** The score's key in files: {@code accuracy}, {@code auc}, {@code r2}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The name of the score's metric and column for the test set, such as {@code testAccuracy}. */
    public String metric() {
        return "test" + name().charAt(0) + key().substring(1);
    }

    /** True if a larger value is better. */
    public boolean higherIsBetter() {
        return higherIsBetter;
    }

    /** True if the score is a share of 1, which is shown in percent. */
    public boolean isShare() {
        return share;
    }

    /** True if {@code value} is better than {@code other}. Any number is better than NaN. */
    public boolean better(double value, double other) {
        if (Double.isNaN(value) || Double.isNaN(other)) {
            return !Double.isNaN(value);
        }
        return higherIsBetter ? value > other : value < other;
    }
}
