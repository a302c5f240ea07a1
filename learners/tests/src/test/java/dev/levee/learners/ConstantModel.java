package dev.levee.learners;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;

import java.util.List;

/** A model from outside: {@code constant:CLASS} has one parameter and always says the same. */
public final class ConstantModel implements ModelFactory {
    @Override
    public String name() {
        return "constant";
    }

    @Override
    public String form() {
        return "constant:CLASS";
    }

    @Override
    public Model create(String argument, int[] shape, int classes) {
        int label = Integer.parseInt(argument);
        if (label < 0 || label >= classes) {
            throw new IllegalArgumentException(
                    "constant:%d is no class: it must be 0 to %d".formatted(label, classes - 1));
        }
        return new Constant(label);
    }

    private record Constant(int label) implements Model {
        @Override
        public String name() {
            return "constant:" + label;
        }

        @Override
        public Layout layout() {
            return new Layout(List.of(new Segment("unused", new long[] {1}, 0, true)));
        }

        @Override
        public float[] initialParameters(long seed) {
            return new float[1];
        }

        @Override
        public Learner newLearner() {
            return new Learner() {
                @Override
                public Gradient gradient(float[] parameters, Batch batch, long seed) {
                    return new Gradient(new float[1], 0);
                }

                @Override
                public Evaluation evaluate(float[] parameters, Dataset data) {
                    int correct = 0;
                    for (int i = 0; i < data.size(); i++) {
                        correct += data.label(i) == label ? 1 : 0;
                    }
                    return new Evaluation(data.size(), 0, (double) correct / data.size());
                }

                @Override
                public void close() {}
            };
        }
    }
}
