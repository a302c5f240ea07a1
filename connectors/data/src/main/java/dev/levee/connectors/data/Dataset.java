package dev.levee.connectors.data;

/** Labelled samples with random access. Immutable once opened and safe for concurrent readers. */
public interface Dataset {
    /** Number of samples. */
    int size();

    /** Shape of one sample: (channels, height, width) for images, (features) otherwise. */
    int[] shape();

    /** Number of classes; labels are 0 to classes − 1. */
    int classes();

    /** Label of sample {@code index}. */
    int label(int index);

    /** What a class is called, for people: as in the data, or its number. */
    default String className(int label) {
        return Integer.toString(label);
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
        for (int i = 0; i < indexes.length; i++) {
            read(indexes[i], features, i * length);
            labels[i] = label(indexes[i]);
        }
        return new Batch(features, labels);
    }
}
