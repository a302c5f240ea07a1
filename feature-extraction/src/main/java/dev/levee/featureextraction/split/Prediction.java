package dev.levee.featureextraction.split;

import dev.levee.learners.layers.Cut;

/**
 * The predicted time of one image with a cut, in seconds.
 *
 * @param cut where the network is cut
 * @param bytes the bytes that cross the link
 * @param link time on the link
 * @param storage time of decoding and of the layers before the cut; 0 without a split or a
 *     measurement
 * @param client time of the other layers and the training step
 * @param machine time of all threads of both tiers on a shared machine; 0 if the tiers do not share
 *     one
 * @param parameters time to send the parameters before the cut, once for all images
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
     * Seconds per image of a run, including its start and end. Parameters are sent first. Then
     * storage tier, link and client work on different requests at the same time; the slowest
     * determines the rate, and the run waits for each of the others once.
     *
     * @param conditions the conditions, with the numbers of requests and images
     */
    public double seconds(Conditions conditions) {
        double first = Math.max(0, link + storage + client - seconds());
        return seconds() + first / conditions.requests() + parameters / conditions.images();
    }

    /**
     * Seconds per image in the middle of a run. All parts work at the same time, so the slowest
     * counts.
     */
    public double seconds() {
        return Math.max(Math.max(link, machine), Math.max(storage, client));
    }

    /** This prediction if the storage tier already has the parameters. */
    Prediction withParametersThere() {
        return new Prediction(cut, bytes, link, storage, client, machine, 0);
    }
}
