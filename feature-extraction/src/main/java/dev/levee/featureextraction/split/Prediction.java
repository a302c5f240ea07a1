package dev.levee.featureextraction.split;

import dev.levee.learners.layers.Cut;

/**
 * The predicted time of one image with a cut, in seconds.
 *
 * @param cut where the network is cut
 * @param bytes the bytes that cross the link
 * @param link sending
 * @param storage decoding and the layers before the cut; 0 where nothing is split or measured
 * @param client the other layers and the training step
 * @param parameters sending the parameters before the cut, once for all images
 */
public record Prediction(
        Cut cut, double bytes, double link, double storage, double client, double parameters) {
    /**
     * Seconds for each image of a run with the ways in and out: parameters go there first; then
     * storage tier, link and client work on different requests at the same time, so each of the
     * others is waited for once.
     *
     * @param conditions how many requests and images there are
     */
    public double seconds(Conditions conditions) {
        double first = link + storage + client - seconds();
        return seconds() + first / conditions.requests() + parameters / conditions.images();
    }

    /** The three work at the same time, so the slowest says how long an image takes. */
    public double seconds() {
        return Math.max(link, Math.max(storage, client));
    }

    /** The same where the storage tier has the parameters. */
    Prediction withParametersThere() {
        return new Prediction(cut, bytes, link, storage, client, 0);
    }
}
