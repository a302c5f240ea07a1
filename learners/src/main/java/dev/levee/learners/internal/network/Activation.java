package dev.levee.learners.internal.network;

import java.util.Arrays;

/** Layers without parameters that act on each value, or only change the shape. */
public sealed interface Activation extends Layer {
    /** max(0, x). */
    record Relu(String name) implements Activation {
        @Override
        public int[] output(int[] input) {
            return input;
        }
    }

    /** Turns every sample into one row of features. */
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
     * In training, each value is kept with probability {@code keep} and then divided by it. The
     * choice of values is a function of the step's seed, the layer's name and the position in the
     * batch, drawn by {@link CounterRandom}.
     */
    record Dropout(String name, double keep) implements Activation {
        @Override
        public int[] output(int[] input) {
            return input;
        }
    }

    /** x if it is above 0, otherwise {@code slope}·x (Maas, Hannun and Ng 2013). */
    record LeakyRelu(String name, double slope) implements Activation {
        @Override
        public int[] output(int[] input) {
            return input;
        }
    }

    /** The hyperbolic tangent. */
    record Tanh(String name) implements Activation {
        @Override
        public int[] output(int[] input) {
            return input;
        }
    }

    /** Like {@link Dropout}, but keeps or drops each channel as a whole (Tompson et al. 2015). */
    record ChannelDropout(String name, double keep) implements Activation {
        @Override
        public int[] output(int[] input) {
            return input;
        }
    }

    /** Turns a row of features into an image, the reverse of {@link Flatten}. */
    record Unflatten(String name, int channels, int height, int width) implements Activation {
        @Override
        public int[] output(int[] input) {
            if (input.length != 1 || input[0] != channels * height * width) {
                throw new IllegalArgumentException(
                        name
                                + " takes "
                                + channels * height * width
                                + " features, got "
                                + Arrays.toString(input));
            }
            return new int[] {channels, height, width};
        }
    }

    /**
     * Enlarges each channel: each value becomes a square of {@code factor} × {@code factor} values.
     */
    record Upsample(String name, int factor) implements Activation {
        @Override
        public int[] output(int[] input) {
            Pooling.images(name, input);
            return new int[] {input[0], factor * input[1], factor * input[2]};
        }
    }
}
