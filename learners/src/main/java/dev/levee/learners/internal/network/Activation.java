package dev.levee.learners.internal.network;

import java.util.Arrays;

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

    /** x where it is above 0, else {@code slope}·x (Maas, Hannun and Ng 2013). */
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

    /** As {@link Dropout}, but each channel is kept or dropped as a whole (Tompson et al. 2015). */
    record ChannelDropout(String name, double keep) implements Activation {
        @Override
        public int[] output(int[] input) {
            return input;
        }
    }

    /** A row of features as an image of so many channels, the reverse of {@link Flatten}. */
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

    /** Each value {@code factor} times in a row and {@code factor} rows of them, as a channel. */
    record Upsample(String name, int factor) implements Activation {
        @Override
        public int[] output(int[] input) {
            Pooling.images(name, input);
            return new int[] {input[0], factor * input[1], factor * input[2]};
        }
    }
}
