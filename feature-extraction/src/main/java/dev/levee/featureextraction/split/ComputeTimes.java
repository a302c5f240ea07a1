package dev.levee.featureextraction.split;

import java.util.Arrays;

/**
 * Seconds that one thread takes for one image.
 *
 * @param decode seconds from the stored bytes to the first layer's input
 * @param steps seconds of the forward pass through each step of the network
 */
public record ComputeTimes(double decode, double[] steps) {
    public ComputeTimes {
        steps = steps.clone();
        if (!(decode >= 0) || Arrays.stream(steps).anyMatch(step -> !(step >= 0))) {
            throw new IllegalArgumentException("times must be at least 0");
        }
    }

    /** These times for a run that ends after {@code count} steps: later steps take no time. */
    public ComputeTimes first(int count) {
        return new ComputeTimes(decode, Arrays.copyOf(Arrays.copyOf(steps, count), steps.length));
    }

    /**
     * Seconds of the forward pass through the steps {@code from} (inclusive) to {@code to}
     * (exclusive).
     */
    double between(int from, int to) {
        return Arrays.stream(steps, from, to).sum();
    }
}
