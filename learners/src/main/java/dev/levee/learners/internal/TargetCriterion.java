package dev.levee.learners.internal;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Task;

/** A loss of each output for its target. The loss of a sample is the mean over its outputs. */
record TargetCriterion(Task task, PointLoss loss) implements Criterion {
    @Override
    public double losses(float[] outputs, Batch batch) {
        return losses(outputs, batch, null);
    }

    @Override
    public double losses(float[] outputs, Batch batch, float[] slope) {
        int each = task.outputs();
        double sum = 0;
        for (int i = 0; i < outputs.length; i++) {
            double target = target(task, batch, i);
            sum += loss.loss(outputs[i], target);
            if (slope != null) {
                slope[i] = (float) (loss.slope(outputs[i], target) / outputs.length);
            }
        }
        return sum / each;
    }

    /** The target of output {@code i} of a batch. With two classes, the second class is 1. */
    static double target(Task task, Batch batch, int i) {
        return task.targets() > 0 ? batch.targets()[i] : batch.labels()[i];
    }
}
