package dev.levee.connectors.data;

import java.util.Arrays;

/**
 * Samples for a learner.
 *
 * @param features {@code size} samples one after another, each of the data set's shape in row-major
 *     order (images: channels, height, width), scaled by the data set
 * @param labels class of each sample, from 0; 0 for samples with targets
 * @param targets the samples' targets, one sample after another; empty for samples with classes
 */
public record Batch(float[] features, int[] labels, float[] targets) {
    /** A batch of samples with classes, without targets. */
    public Batch(float[] features, int[] labels) {
        this(features, labels, new float[0]);
    }

    /** Copies the samples {@code from} (inclusive) to {@code to} (exclusive). */
    public Batch part(int from, int to) {
        int floats = features.length / size();
        int numbers = targets.length / size();
        return new Batch(
                Arrays.copyOfRange(features, from * floats, to * floats),
                Arrays.copyOfRange(labels, from, to),
                Arrays.copyOfRange(targets, from * numbers, to * numbers));
    }

    /** Number of samples. */
    public int size() {
        return labels.length;
    }
}
