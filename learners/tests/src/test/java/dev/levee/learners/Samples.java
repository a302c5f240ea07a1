package dev.levee.learners;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;

import java.util.Random;
import java.util.stream.IntStream;

/**
 * A small made-up data set: each class has a random centre, each sample lies around its centre.
 *
 * @param shape shape of one sample
 * @param classes number of classes
 * @param features all samples, one after the other
 * @param labels class of each sample
 */
public record Samples(int[] shape, int classes, float[] features, int[] labels) implements Dataset {
    public static Samples of(int[] shape, int classes, int size, long seed) {
        Random random = new Random(seed);
        int length = IntStream.of(shape).reduce(1, (a, b) -> a * b);
        float[] centres = new float[classes * length];
        for (int i = 0; i < centres.length; i++) {
            centres[i] = (float) random.nextGaussian();
        }
        float[] features = new float[size * length];
        int[] labels = new int[size];
        for (int s = 0; s < size; s++) {
            labels[s] = s % classes;
            for (int i = 0; i < length; i++) {
                features[s * length + i] =
                        centres[labels[s] * length + i] + 0.5f * (float) random.nextGaussian();
            }
        }
        return new Samples(shape, classes, features, labels);
    }

    /** Every sample in one batch. */
    public Batch all() {
        return new Batch(features, labels);
    }

    @Override
    public int size() {
        return labels.length;
    }

    @Override
    public int label(int index) {
        return labels[index];
    }

    @Override
    public void read(int index, float[] out, int offset) {
        int length = features.length / labels.length;
        System.arraycopy(features, index * length, out, offset, length);
    }
}
