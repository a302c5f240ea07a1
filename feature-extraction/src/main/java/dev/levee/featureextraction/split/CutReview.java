package dev.levee.featureextraction.split;

import dev.levee.learners.layers.Cut;

/**
 * Decides during a run whether to change the cut, after the link turned out to be faster or slower
 * than planned.
 *
 * @param rule the rule that chooses
 * @param profile the cost of an image
 * @param planned the conditions for which the cut was chosen
 */
public record CutReview(SplitRule rule, Profile profile, Conditions planned) {
    /**
     * The ratio of predicted times below which a change pays. It is below 1 because rates vary and
     * a change costs a pause.
     */
    private static final double WORTH = 0.8;

    /**
     * Returns the cut for the remaining requests. It changes only if the new cut is predicted to
     * save a fifth of the time.
     *
     * @param now the current cut, whose parameters have already been sent
     * @param bitsPerSecond the measured rate of the link
     * @param requests number of requests that have not been sent
     * @param images number of images of these requests
     */
    public Cut cut(Cut now, double bitsPerSecond, int requests, long images) {
        Conditions left = planned.left(bitsPerSecond, requests, images);
        Cut next = rule.choose(profile, left);
        Prediction stay = profile.predict(now, left).withParametersThere();
        return profile.predict(next, left).seconds(left) < WORTH * stay.seconds(left) ? next : now;
    }
}
