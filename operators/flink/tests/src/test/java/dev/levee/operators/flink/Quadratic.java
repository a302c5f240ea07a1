package dev.levee.operators.flink;

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
 * ½‖x − t‖² with a noisy target t drawn anew for each gradient; as large as a test likes, so that
 * it spans blocks. The last {@code buffers} coordinates are buffers.
 */
record Quadratic(int dimension, int buffers) implements Model {
    @Override
    public String name() {
        return "quadratic";
    }

    @Override
    public Layout layout() {
        return new Layout(
                List.of(
                        new Segment("x", new long[] {dimension - buffers}, 0, true),
                        new Segment("b", new long[] {buffers}, dimension - buffers, false)));
    }

    @Override
    public float[] initialParameters(long seed) {
        float[] initial = new float[dimension];
        for (int i = 0; i < dimension; i++) {
            initial[i] = Draws.uniformFloat(seed, i);
        }
        return initial;
    }

    @Override
    public Learner newLearner() {
        return new QuadraticLearner();
    }

    private final class QuadraticLearner implements Learner {
        @Override
        public Gradient gradient(float[] parameters, Batch batch, long seed) {
            float[] gradient = new float[dimension];
            float shift = (float) Draws.normal(seed, 0);
            for (int i = 0; i < dimension - buffers; i++) {
                gradient[i] = parameters[i] - 1 - shift * ((i & 7) - 3);
            }
            for (int i = dimension - buffers; i < dimension; i++) {
                gradient[i] = shift;
            }
            return new Gradient(gradient, shift * shift);
        }

        @Override
        public Evaluation evaluate(float[] parameters, Dataset data) {
            double loss = 0;
            for (int i = 0; i < dimension - buffers; i++) {
                loss += 0.5 * (parameters[i] - 1.0) * (parameters[i] - 1.0);
            }
            return new Evaluation(1, loss, 0);
        }

        @Override
        public void close() {}
    }
}
