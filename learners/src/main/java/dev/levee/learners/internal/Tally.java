package dev.levee.learners.internal;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Loss;
import dev.levee.learners.Score;
import dev.levee.learners.Task;

import java.util.Map;

/** Counts what a task's scores need, batch by batch. */
public interface Tally {
    /** An empty one for so many samples. */
    static Tally of(Task task, int samples) {
        if (task.loss() instanceof Loss.BinaryCrossEntropy) {
            return new BinaryTally(task, samples);
        }
        return task.targets() > 0 ? new NumberTally(task) : new ClassTally(task.classes());
    }

    /** Adds samples. */
    void add(float[] outputs, Batch batch);

    /** The scores of all samples that were added; NaN where there is no number. */
    Map<Score, Double> scores();
}
