package dev.levee.operators.placement;

import dev.levee.operators.placement.algorithm.MSct;

/**
 * How to plan.
 *
 * @param reserve whether m-ETF and m-SCT set the memory of a colocation group aside when they place
 *     it
 * @param threshold m-SCT's threshold for favourite children, above 0 and at most 1
 */
public record Options(boolean reserve, double threshold) {
    /** No reservation, and the threshold of Baechi's code. */
    public static final Options DEFAULT = new Options(false, MSct.DEFAULT_THRESHOLD);

    public Options {
        if (!(threshold > 0 && threshold <= 1)) {
            throw new IllegalArgumentException(
                    "the threshold must be above 0 and at most 1, got " + threshold);
        }
    }
}
