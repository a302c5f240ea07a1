package dev.levee.connectors.data;

/**
 * Samples as a learner takes them.
 *
 * @param features {@code size} samples one after the other, each of the data set's shape in
 *     row-major order (images: channels, height, width), scaled as the data set says
 * @param labels class of each sample, from 0
 */
public record Batch(float[] features, int[] labels) {
    /** Number of samples. */
    public int size() {
        return labels.length;
    }
}
