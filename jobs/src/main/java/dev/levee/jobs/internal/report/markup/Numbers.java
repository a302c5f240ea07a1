package dev.levee.jobs.internal.report.markup;

import dev.levee.learners.Score;

import java.util.Locale;

/** Formats numbers for people. A missing number is a dash. */
public final class Numbers {
    private static final String NOTHING = "–";
    private static final int SCORE_DECIMALS = 4;

    private Numbers() {}

    /** Formats a share of 1 as a percentage. */
    public static String percent(Double share) {
        return share == null || !Double.isFinite(share)
                ? NOTHING
                : String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }

    /** Formats a score: a share as a percentage, others as numbers. */
    public static String score(Score score, Double value) {
        return score.isShare() ? percent(value) : decimals(value, SCORE_DECIMALS);
    }

    /**
     * Formats seconds as minutes and seconds, with hours if there are any: {@code 2:05}, {@code
     * 1:02:05}.
     */
    public static String duration(double seconds) {
        long whole = Math.round(seconds);
        return whole < 3600
                ? "%d:%02d".formatted(whole / 60, whole % 60)
                : "%d:%02d:%02d".formatted(whole / 3600, whole / 60 % 60, whole % 60);
    }

    /** Formats a number with this many decimals; very large numbers in scientific notation. */
    public static String decimals(Double value, int decimals) {
        if (value == null || !Double.isFinite(value)) {
            return NOTHING;
        }
        return String.format(
                Locale.ROOT, (Math.abs(value) < 1e6 ? "%." + decimals + "f" : "%.2e"), value);
    }
}
