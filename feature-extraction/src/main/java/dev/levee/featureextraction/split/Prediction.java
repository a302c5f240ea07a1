package dev.levee.featureextraction.split;

import dev.levee.learners.Cut;

/**
 * What one image takes with a cut, in seconds.
 *
 * @param cut where the network is cut
 * @param bytes what crosses the link
 * @param link sending
 * @param storage decoding and the layers before the cut; 0 where nothing is split or measured
 * @param client the other layers and the training step
 */
public record Prediction(Cut cut, double bytes, double link, double storage, double client) {
    /**
     * Seconds for each image with the ways in and out: storage tier, link and client work on
     * different requests at the same time, so each of the others is waited for once.
     *
     * @param requests how many of the same size there are
     */
    public double seconds(int requests) {
        return seconds() + (link + storage + client - seconds()) / requests;
    }

    /** The three work at the same time, so the slowest says how long an image takes. */
    public double seconds() {
        return Math.max(link, Math.max(storage, client));
    }
}
