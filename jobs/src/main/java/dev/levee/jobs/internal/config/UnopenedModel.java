package dev.levee.jobs.internal.config;

import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;

/** A placeholder for a model that is not opened yet. A training only reads its name. */
public record UnopenedModel(String name) implements Model {
    @Override
    public Layout layout() {
        throw new UnsupportedOperationException();
    }

    @Override
    public float[] initialParameters(long seed) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Learner newLearner() {
        throw new UnsupportedOperationException();
    }
}
