package dev.levee.learners.internal;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Loss;
import dev.levee.learners.Score;
import dev.levee.learners.Task;

import java.util.Map;

/** Accumulates the numbers from which a task's scores are computed, batch by batch. */
public interface Tally {
    /** Creates an empty tally for up to {@code samples} samples. */
    static Tally of(Task task, int samples) {
        if (task.loss() instanceof Loss.BinaryCrossEntropy) {
            return new BinaryTally(task, samples);
        }
        return task.targets() > 0 ? new NumberTally(task) : new ClassTally(task.classes());
    }

    /** Adds samples. */
    void add(float[] outputs, Batch batch);

    /** The scores of all samples that were added; NaN if a score is not defined. */
    Map<Score, Double> scores();
}
