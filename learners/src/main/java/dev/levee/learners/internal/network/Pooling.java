package dev.levee.learners.internal.network;

import java.util.Arrays;

/** Layers that summarize regions of each channel. */
public sealed interface Pooling extends Layer {
    /** Largest value of each window. Padding is never the largest. */
    record Max(String name, int kernel, int stride, int padding) implements Pooling {
        @Override
        public int[] output(int[] input) {
            images(name, input);
            return new int[] {
                input[0],
                extent(name, input[1], kernel, stride, padding),
                extent(name, input[2], kernel, stride, padding)
            };
        }
    }

    /** Mean of each window. */
    record Average(String name, int kernel, int stride) implements Pooling {
        @Override
        public int[] output(int[] input) {
            images(name, input);
            return new int[] {
                input[0],
                extent(name, input[1], kernel, stride, 0),
                extent(name, input[2], kernel, stride, 0)
            };
        }
    }

    /**
     * Means over a grid of {@code extent} × {@code extent} windows that cover each channel, as in
     * torch's adaptive average pool. Output i covers rows ⌊i·h/extent⌋ to ⌈(i + 1)·h/extent⌉.
     */
    record AverageGrid(String name, int extent) implements Pooling {
        @Override
        public int[] output(int[] input) {
            images(name, input);
            return new int[] {input[0], extent, extent};
        }
    }

    /** Mean of each whole channel; the output is flat. */
    record GlobalAverage(String name) implements Pooling {
        @Override
        public int[] output(int[] input) {
            images(name, input);
            return new int[] {input[0]};
        }
    }

    /** Output extent of a sliding window. */
    static int extent(String name, int input, int kernel, int stride, int padding) {
        if (input + 2 * padding < kernel) {
            throw new IllegalArgumentException(
                    "%s has windows of %s, but its input has an extent of %s"
                            .formatted(name, kernel, input));
        }
        return (input + 2 * padding - kernel) / stride + 1;
    }

    /** Checks that an input has the shape of an image. */
    static void images(String name, int[] input) {
        if (input.length != 3) {
            throw new IllegalArgumentException(
                    name + " takes (channels, height, width), got " + Arrays.toString(input));
        }
    }
}
