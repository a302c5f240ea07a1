package dev.levee.featureextraction.split;

import dev.levee.learners.layers.Cut;

/**
 * Whether another cut is worth changing to in the middle of a run, now that the link is known to
 * carry more or less than was thought.
 *
 * @param rule the rule that chooses
 * @param profile the cost of an image
 * @param planned the conditions for which the cut was chosen
 */
public record CutReview(SplitRule rule, Profile profile, Conditions planned) {
    /** The ratio of times below which a change pays: rates vary, and a change costs a pause. */
    private static final double WORTH = 0.8;

    /**
     * The cut for what is left: another one only where it is predicted to save a fifth.
     *
     * @param now the cut so far, whose parameters are where they are needed
     * @param bitsPerSecond the measured rate of the link
     * @param requests that have not been asked for
     * @param images of these
     */
    public Cut cut(Cut now, double bitsPerSecond, int requests, long images) {
        Conditions left = planned.left(bitsPerSecond, requests, images);
        Cut next = rule.choose(profile, left);
        Prediction stay = profile.predict(now, left).withParametersThere();
        return profile.predict(next, left).seconds(left) < WORTH * stay.seconds(left) ? next : now;
    }
}
