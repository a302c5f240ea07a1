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
 * @param machine what all threads of both tiers take in a machine that they share; 0 if they do not
 * @param parameters sending the parameters before the cut, once for all images
 */
public record Prediction(
        Cut cut,
        double bytes,
        double link,
        double storage,
        double client,
        double machine,
        double parameters) {
    /**
     * Seconds for each image of a run with the ways in and out: parameters go there first; then
     * storage tier, link and client work on different requests at the same time, so each of the
     * others is waited for once.
     *
     * @param conditions how many requests and images there are
     */
    public double seconds(Conditions conditions) {
        double first = Math.max(0, link + storage + client - seconds());
        return seconds() + first / conditions.requests() + parameters / conditions.images();
    }

    /** All work at the same time, so the slowest says how long an image takes. */
    public double seconds() {
        return Math.max(Math.max(link, machine), Math.max(storage, client));
    }

    /** The same where the storage tier has the parameters. */
    Prediction withParametersThere() {
        return new Prediction(cut, bytes, link, storage, client, machine, 0);
    }
}
