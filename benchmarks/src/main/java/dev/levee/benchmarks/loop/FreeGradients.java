package dev.levee.benchmarks.loop;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.gar.Draws;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Gradient;
import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Segment;

import java.util.List;

/**
 * A model of any size whose gradient costs one pass over memory, so that only the loop is measured.
 */
public record FreeGradients(int dimension) implements Model {
    @Override
    public String name() {
        return "free";
    }

    @Override
    public Layout layout() {
        return new Layout(List.of(new Segment("x", new long[] {dimension}, 0, true)));
    }

    @Override
    public float[] initialParameters(long seed) {
        return new float[dimension];
    }

    @Override
    public Learner newLearner() {
        return new Learner() {
            @Override
            public Gradient gradient(float[] parameters, Batch batch, long seed) {
                float[] gradient = new float[dimension];
                float shift = (float) Draws.normal(seed, 0);
                for (int i = 0; i < dimension; i++) {
                    gradient[i] = parameters[i] - shift;
                }
                return new Gradient(gradient, shift);
            }

            @Override
            public Evaluation evaluate(float[] parameters, Dataset data) {
                return new Evaluation(1, 0, 0);
            }

            @Override
            public void close() {}
        };
    }
}
