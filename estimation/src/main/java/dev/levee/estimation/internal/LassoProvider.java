package dev.levee.estimation.internal;

import dev.levee.estimation.learner.Learner;
import dev.levee.estimation.learner.LearnerProvider;
import dev.levee.estimation.learner.Parameters;

/** Creates the learner {@code lasso}: least squares with a penalty on absolute values. */
public final class LassoProvider implements LearnerProvider {
    @Override
    public String name() {
        return "lasso";
    }

    @Override
    public Learner create(Parameters parameters) {
        return new ElasticNet(parameters.only("alpha").number("alpha", 0.01, 1e-9, 1e9), 1);
    }
}
