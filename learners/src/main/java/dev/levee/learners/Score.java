package dev.levee.learners;

import java.util.Locale;

/**
 * A score of a model's outputs on samples, besides their loss. In this order they are shown, and
 * the first that a task has is the one that its models are compared by.
 */
public enum Score {
    /**
     * Share of samples whose class is that of the largest output; of outputs for 0 and 1, share of
     * targets on whose side of one half the probability lies.
     */
    ACCURACY("accuracy", true, true),

    /**
     * Area under the receiver operating characteristic: how often a sample of target 1 has the
     * larger output than one of target 0, where equal outputs count one half (Hanley, McNeil,
     * Radiology 143, 1982). For several targets, the mean over those that have both values.
     */
    AUC("AUC", true, false),

    /** Harmonic mean of precision and recall of target 1, over all targets together (micro). */
    F1("F1", true, false),

    /** Root of the mean squared error, over all targets together. */
    RMSE("RMSE", false, false),

    /** Mean absolute error, over all targets together. */
    MAE("MAE", false, false),

    /** Share of the targets' variance that is explained, 1 − Σ(y − o)² / Σ(y − ȳ)²; the mean. */
    R2("R²", true, false);

    private final String label;
    private final boolean higherIsBetter;
    private final boolean share;

    Score(String label, boolean higherIsBetter, boolean share) {
        this.label = label;
        this.higherIsBetter = higherIsBetter;
        this.share = share;
    }

    /** Its name for people. */
    public String label() {
        return label;
    }

    /** Its key in files: {@code accuracy}, {@code auc}, {@code r2}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The name of its metric and column for the test set: {@code testAccuracy}. */
    public String metric() {
        return "test" + name().charAt(0) + key().substring(1);
    }

    /** True if a larger one is the better one. */
    public boolean higherIsBetter() {
        return higherIsBetter;
    }

    /** True if it is a share of 1 that people read in percent. */
    public boolean isShare() {
        return share;
    }

    /** True if {@code value} is better than {@code other}; any number is better than none. */
    public boolean better(double value, double other) {
        if (Double.isNaN(value) || Double.isNaN(other)) {
            return !Double.isNaN(value);
        }
        return higherIsBetter ? value > other : value < other;
    }
}
