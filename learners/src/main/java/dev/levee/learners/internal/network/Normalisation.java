package dev.levee.learners.internal.network;

import java.util.Arrays;
import java.util.List;

/** Layers that rescale values by statistics over a batch or over neighboring channels. */
public sealed interface Normalisation extends Layer {
    /**
     * Batch normalization per channel (Ioffe and Szegedy 2015). The running statistics move by a
     * tenth at each training step; the running variance is the unbiased one.
     *
     * @param epsilon ε, which is added to the variance
     * @param weight the initial scale
     */
    record Batch(String name, int channels, double epsilon, InitialValues weight)
            implements Normalisation {
        public static final double MOMENTUM = 0.1;

        /** Batch normalization with ε = 1e-5 and an initial scale of one. */
        public Batch(String name, int channels) {
            this(name, channels, 1e-5, InitialValues.ONES);
        }

        @Override
        public List<Parameter> parameters() {
            return List.of(
                    Parameter.trained(name + ".weight", weight, channels),
                    Parameter.trained(name + ".bias", InitialValues.ZEROS, channels),
                    Parameter.buffer(name + ".running_mean", InitialValues.ZEROS, channels),
                    Parameter.buffer(name + ".running_var", InitialValues.ONES, channels));
        }

        @Override
        public int[] output(int[] input) {
            return Normalisation.checked(name, channels, input);
        }
    }

    /**
     * Local response normalization over channels (Krizhevsky et al. 2012): x / (bias + alpha · sum
     * of x² over all channels up to {@code radius} away)^0.75. As in TensorFlow, alpha is not
     * divided by the size of the window.
     */
    record LocalResponse(String name, int channels, int radius, double bias, double alpha)
            implements Normalisation {
        @Override
        public int[] output(int[] input) {
            return Normalisation.checked(name, channels, input);
        }
    }

    private static int[] checked(String name, int channels, int[] input) {
        if (input.length != 3 || input[0] != channels) {
            throw new IllegalArgumentException(
                    name + " takes " + channels + " channels, got " + Arrays.toString(input));
        }
        return input;
    }
}
