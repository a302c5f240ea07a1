package dev.levee.connectors.data;

/**
 * Samples as a learner takes them.
 *
 * @param features {@code size} samples one after the other, each of the data set's shape in
 *     row-major order (images: channels, height, width), scaled as the data set says
 * @param labels class of each sample, from 0; 0 where samples have targets
 * @param targets the samples' target numbers, one sample after the other; empty where samples have
 *     classes
 */
public record Batch(float[] features, int[] labels, float[] targets) {
    /** Samples of classes. */
    public Batch(float[] features, int[] labels) {
        this(features, labels, new float[0]);
    }

    /** Number of samples. */
    public int size() {
        return labels.length;
    }
}
