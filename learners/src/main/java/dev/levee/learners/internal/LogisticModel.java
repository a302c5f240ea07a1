package dev.levee.learners.internal;

import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.Loss;
import dev.levee.learners.Model;
import dev.levee.learners.Score;
import dev.levee.learners.Segment;
import dev.levee.learners.Task;

import java.util.List;

/**
 * Multinomial logistic regression: an {@code (outputs, features)} weight, a bias per output, and
 * softmax cross-entropy. With another loss, it is the linear model with that loss. It is written in
 * plain Java, so it needs no native library.
 *
 * @param features number of coordinates of one sample, whatever its shape
 * @param task the task, which determines the outputs
 */
public record LogisticModel(int features, Task task) implements Model {
    public LogisticModel {
        if (features < 1) {
            throw new IllegalArgumentException(
                    "logistic needs at least 1 feature, got " + features);
        }
        if (task.loss() instanceof Loss.OfModule) {
            throw new IllegalArgumentException(
                    "the loss module is the method of a TorchScript file, file:PATH; "
                            + "logistic has none");
        }
        Math.multiplyExact(Math.addExact(features, 1), task.outputs());
    }

    @Override
    public String name() {
        return "logistic";
    }

    @Override
    public List<Score> scores() {
        return task.scores();
    }

    @Override
    public Layout layout() {
        int outputs = task.outputs();
        return new Layout(
                List.of(
                        new Segment("weight", new long[] {outputs, features}, 0, true),
                        new Segment("bias", new long[] {outputs}, outputs * features, true)));
    }

    /** Returns zeros. The loss is convex, so initial values need not break a symmetry. */
    @Override
    public float[] initialParameters(long seed) {
        return new float[(features + 1) * task.outputs()];
    }

    @Override
    public Learner newLearner() {
        return new LogisticLearner(this);
    }
}
