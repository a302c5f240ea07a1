package dev.levee.learners.internal;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Loss;
import dev.levee.learners.Task;

/**
 * A task's loss of a batch of outputs. In Java even behind a native network: the numbers are few,
 * and each native call costs more than computing them.
 */
public interface Criterion {
    /**
     * The criterion of a task.
     *
     * @throws IllegalArgumentException if its loss is in a module, which only that can compute
     */
    static Criterion of(Task task) {
        Loss loss = task.loss();
        if (loss instanceof Loss.CrossEntropy) {
            return new ClassCriterion(task.classes());
        }
        if (loss instanceof Loss.OfModule) {
            throw new IllegalArgumentException("a loss of the module needs a model file:PATH");
        }
        return new TargetCriterion(task, PointLoss.of(loss));
    }

    /**
     * Sum of the samples' losses.
     *
     * @param outputs {@code size × outputs}, row-major
     */
    double losses(float[] outputs, Batch batch);

    /**
     * The same with its slope.
     *
     * @param slope receives the gradient of the samples' mean loss by the outputs
     */
    double losses(float[] outputs, Batch batch, float[] slope);
}
