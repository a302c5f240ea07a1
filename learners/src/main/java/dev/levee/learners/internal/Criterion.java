package dev.levee.learners.internal;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Loss;
import dev.levee.learners.Task;

/**
 * Computes a task's loss of a batch of outputs. It runs in Java even for a native network, because
 * there are few outputs and each native call costs more than the computation.
 */
public interface Criterion {
    /**
     * The criterion of a task.
     *
     * @throws IllegalArgumentException if only a module can compute the task's loss
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
     * Returns the same sum and computes the gradient.
     *
     * @param slope receives the gradient of the samples' mean loss with respect to the outputs
     */
    double losses(float[] outputs, Batch batch, float[] slope);

    /** Softmax cross-entropy of one logit per class. */
    record ClassCriterion(int classes) implements Criterion {
        @Override
        public double losses(float[] outputs, Batch batch) {
            return new CrossEntropy(outputs, batch.size(), classes).losses(batch.labels());
        }

        @Override
        public double losses(float[] outputs, Batch batch, float[] slope) {
            return new CrossEntropy(outputs, batch.size(), classes).losses(batch.labels(), slope);
        }
    }
}
