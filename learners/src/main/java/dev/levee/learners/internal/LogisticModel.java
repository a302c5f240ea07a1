package dev.levee.learners.internal;

import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Segment;

import java.util.List;

/**
 * Multinomial logistic regression: a {@code (classes, features)} weight and a bias per class,
 * softmax cross-entropy. Plain Java, so it runs where no native library does.
 *
 * @param features coordinates of one sample, whatever its shape
 * @param classes number of classes
 */
public record LogisticModel(int features, int classes) implements Model {
    public LogisticModel {
        if (features < 1 || classes < 2) {
            throw new IllegalArgumentException(
                    "logistic needs at least 1 feature and 2 classes, got "
                            + features
                            + " and "
                            + classes);
        }
        Math.multiplyExact(Math.addExact(features, 1), classes);
    }

    @Override
    public String name() {
        return "logistic";
    }

    @Override
    public Layout layout() {
        return new Layout(
                List.of(
                        new Segment("weight", new long[] {classes, features}, 0, true),
                        new Segment("bias", new long[] {classes}, classes * features, true)));
    }

    /** Zeros: the loss is convex, so nothing has to break a symmetry. */
    @Override
    public float[] initialParameters(long seed) {
        return new float[(features + 1) * classes];
    }

    @Override
    public Learner newLearner() {
        return new LogisticLearner(this);
    }
}
