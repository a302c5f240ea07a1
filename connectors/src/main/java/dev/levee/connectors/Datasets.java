package dev.levee.connectors;

/** Opens data sets by URI. */
public final class Datasets {
    /** Which part of a data set. */
    public enum Split {
        TRAIN,
        TEST
    }

    private Datasets() {}

    /**
     * Opens a data set: {@code strokes:}, {@code idx:DIR}, {@code cifar10:DIR}, {@code libsvm:FILE}
     * or {@code images:DIR}, where DIR and FILE are on any file system that Flink knows. The same
     * URI and split are read once per process and shared.
     *
     * @throws IllegalArgumentException if the URI has no known form, or nothing readable is there;
     *     one sentence
     */
    public static Dataset open(String uri, Split split) {
        throw new IllegalArgumentException("unknown data set " + uri + split);
    }
}
