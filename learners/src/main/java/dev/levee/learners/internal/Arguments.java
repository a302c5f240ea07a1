package dev.levee.learners.internal;

import dev.levee.connectors.data.Batch;

/** Checks what a learner is handed, before native code reads past an end. */
public final class Arguments {
    private Arguments() {}

    /**
     * Checks lengths and labels.
     *
     * @param size length of the model's flat parameter vector
     * @param features coordinates of one sample
     */
    public static void check(float[] parameters, int size, Batch batch, int features, int classes) {
        if (parameters.length != size) {
            throw new IllegalArgumentException(
                    "the model has " + size + " parameters, got " + parameters.length);
        }
        if (batch.size() == 0) {
            throw new IllegalArgumentException("a batch needs at least one sample");
        }
        if (batch.features().length != (long) batch.size() * features) {
            throw new IllegalArgumentException(
                    batch.size()
                            + " samples of "
                            + features
                            + " features need "
                            + (long) batch.size() * features
                            + " values, got "
                            + batch.features().length);
        }
        for (int label : batch.labels()) {
            if (label < 0 || label >= classes) {
                throw new IllegalArgumentException(
                        "the model has " + classes + " classes, got a sample of class " + label);
            }
        }
    }
}
