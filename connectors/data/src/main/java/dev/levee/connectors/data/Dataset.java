package dev.levee.connectors.data;

/**
 * Samples with random access, each with a class or with targets. Immutable once opened, and safe
 * for concurrent readers.
 */
public interface Dataset {
    /** Number of samples. */
    int size();

    /** Shape of one sample: (channels, height, width) for images, (features) otherwise. */
    int[] shape();

    /** Number of classes; labels are 0 to classes − 1. Samples with targets have one class. */
    int classes();

    /** Label of sample {@code index}. */
    int label(int index);

    /** The name of a class for display: as in the data, or its number. */
    default String className(int label) {
        return Integer.toString(label);
    }

    /** Number of targets per sample; 0 for samples with classes. */
    default int targets() {
        return 0;
    }

    /** The name of a target for display: as in the data, or its number. */
    default String targetName(int target) {
        return Integer.toString(target);
    }

    /** Copies the targets of sample {@code index}, if any, to {@code out[offset…]}. */
    default void readTargets(int index, float[] out, int offset) {}

    /** Number of owners (people, devices or places) of the samples; 0 if unknown. */
    default int owners() {
        return 0;
    }

    /** The owner of sample {@code index}, from 0, if known. */
    default int owner(int index) {
        return 0;
    }

    /**
     * Bytes of heap that all samples take once they have been read; 0 if unknown, for example if
     * samples are read from files when they are used.
     */
    default long heapBytes() {
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
