package dev.levee.estimation.internal;

import dev.levee.estimation.learner.Learner;
import dev.levee.estimation.learner.LearnerProvider;
import dev.levee.estimation.learner.Parameters;

/** Creates the learner {@code linear}: ordinary least squares with an intercept. */
public final class LinearProvider implements LearnerProvider {
    @Override
    public String name() {
        return "linear";
    }

    @Override
    public Learner create(Parameters parameters) {
        parameters.only();
        return (features, target, seed) -> LeastSquares.fit(features, target)::predict;
    }
}
