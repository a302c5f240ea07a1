package dev.levee.connectors.data;

/**
 * Samples with random access, each of a class or with target numbers. Immutable once opened and
 * safe for concurrent readers.
 */
public interface Dataset {
    /** Number of samples. */
    int size();

    /** Shape of one sample: (channels, height, width) for images, (features) otherwise. */
    int[] shape();

    /** Number of classes; labels are 0 to classes − 1. Where samples have targets it is 1. */
    int classes();

    /** Label of sample {@code index}. */
    int label(int index);

    /** What a class is called, for people: as in the data, or its number. */
    default String className(int label) {
        return Integer.toString(label);
    }

    /** Numbers that a model is to tell of a sample; 0 where samples have classes. */
    default int targets() {
        return 0;
    }

    /** What a target is called, for people: as in the data, or its number. */
    default String targetName(int target) {
        return Integer.toString(target);
    }

    /** Copies the targets of sample {@code index} to {@code out[offset…]}, if there are any. */
    default void readTargets(int index, float[] out, int offset) {}

    /** How many people, devices or places the samples come from; 0 where the data do not say. */
    default int owners() {
        return 0;
    }

    /** Who sample {@code index} comes from, from 0, if the data say. */
    default int owner(int index) {
        return 0;
    }

    /** Copies the features of sample {@code index} to {@code out[offset…]}. */
    void read(int index, float[] out, int offset);

    /** Reads several samples, in the order given. */
    default Batch batch(int[] indexes) {
        int length = 1;
        for (int extent : shape()) {
            length *= extent;
        }
        float[] features = new float[Math.multiplyExact(indexes.length, length)];
        int[] labels = new int[indexes.length];
        float[] targets = new float[Math.multiplyExact(indexes.length, targets())];
        for (int i = 0; i < indexes.length; i++) {
            read(indexes[i], features, i * length);
            labels[i] = label(indexes[i]);
            readTargets(indexes[i], targets, i * targets());
        }
        return new Batch(features, labels, targets);
    }
}
