package dev.levee.learners.internal.network;

/** Layers without parameters that act value by value, or only change the shape. */
public sealed interface Activation extends Layer {
    /** max(0, x). */
    record Relu(String name) implements Activation {
        @Override
        public int[] output(int[] input) {
            return input;
        }
    }

    /** Every sample as one row of features. */
    record Flatten(String name) implements Activation {
        @Override
        public int[] output(int[] input) {
            int features = 1;
            for (int extent : input) {
                features = Math.multiplyExact(features, extent);
            }
            return new int[] {features};
        }
    }

    /**
     * In training, each value is kept with probability {@code keep} and then divided by it. Which
     * values are kept is a function of the step's seed, the layer's name and the position in the
     * batch, drawn by {@link CounterRandom}.
     */
    record Dropout(String name, double keep) implements Activation {
        @Override
        public int[] output(int[] input) {
            return input;
        }
    }
}
