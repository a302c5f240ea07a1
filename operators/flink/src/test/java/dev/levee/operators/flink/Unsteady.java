package dev.levee.operators.flink;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.WrappedLearner;
import dev.levee.learners.WrappedModel;

/**
 * Another model, whose gradients fail as {@link Faults} are planned.
 *
 * @param key of the faults
 */
public record Unsteady(Model model, String key) implements WrappedModel {
    @Override
    public Learner newLearner() {
        return new WrappedLearner(model.newLearner()) {
            @Override
            public Gradient gradient(float[] parameters, Batch batch, long seed) {
                Faults.call(key);
                return super.gradient(parameters, batch, seed);
            }
        };
    }
}
