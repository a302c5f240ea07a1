package dev.levee.learners.internal;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Task;

/**
 * Checks the arguments of a learner, so that native code does not read past the end of an array.
 */
public final class Arguments {
    private Arguments() {}

    /**
     * Checks lengths, and that the samples have the labels or targets that the task requires.
     *
     * @param size length of the model's flat parameter vector
     * @param features coordinates of one sample
     */
    public static void check(float[] parameters, int size, Batch batch, int features, Task task) {
        check(parameters, size, batch, features);
        if (batch.targets().length != (long) batch.size() * task.targets()) {
            throw new IllegalArgumentException(
                    "%d samples need %d targets each, got %d in all"
                            .formatted(batch.size(), task.targets(), batch.targets().length));
        }
        for (int label : batch.labels()) {
            if (task.targets() == 0 && (label < 0 || label >= task.classes())) {
                throw new IllegalArgumentException(
                        "the model has %s classes, got a sample of class %s"
                                .formatted(task.classes(), label));
            }
        }
    }

    /** Checks lengths. */
    public static void check(float[] parameters, int size, Batch batch, int features) {
        if (parameters.length != size) {
            throw new IllegalArgumentException(
                    "the model has " + size + " parameters, got " + parameters.length);
        }
        if (batch.size() == 0) {
            throw new IllegalArgumentException("a batch needs at least one sample");
        }
        if (batch.features().length != (long) batch.size() * features) {
            throw new IllegalArgumentException(
                    "%s samples of %s features need %s values, got %s"
                            .formatted(
                                    batch.size(),
                                    features,
                                    (long) batch.size() * features,
                                    batch.features().length));
        }
    }
}
