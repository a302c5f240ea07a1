package dev.levee.estimation.internal;

import dev.levee.estimation.learner.Learner;
import dev.levee.estimation.learner.LearnerProvider;
import dev.levee.estimation.learner.Parameters;

/**
 * Creates the learner {@code elastic-net}: least squares with a penalty on absolute values and
 * squares.
 */
public final class ElasticNetProvider implements LearnerProvider {
    @Override
    public String name() {
        return "elastic-net";
    }

    @Override
    public Learner create(Parameters parameters) {
        parameters.only("alpha", "ratio");
        return new ElasticNet(
                parameters.number("alpha", 0.01, 1e-9, 1e9),
                // Tribuo accepts no smaller ratio.
                parameters.number("ratio", 0.5, 1e-5, 1));
    }
}
