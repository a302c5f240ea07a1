package dev.levee.featureextraction.split;

import java.util.Arrays;

/**
 * Seconds that one thread takes for one image of a micro-batch in training.
 *
 * @param forward seconds of the forward pass through each step of the network
 * @param backward seconds of the backward pass through each step, including the sum of gradients
 */
public record TrainingTimes(double[] forward, double[] backward) {
    /** Assumed ratio of backward to forward time if only forward passes were measured. */
    private static final double BACKWARD = Profile.TRAINING - 1;

    public TrainingTimes {
        forward = forward.clone();
        backward = backward.clone();
        if (forward.length != backward.length) {
            throw new IllegalArgumentException(
                    "%d times forward need as many backward, got %d"
                            .formatted(forward.length, backward.length));
        }
        if (negative(forward) || negative(backward)) {
            throw new IllegalArgumentException("times must be at least 0");
        }
    }

    private static boolean negative(double[] seconds) {
        return Arrays.stream(seconds).anyMatch(step -> !(step >= 0));
    }

    /** Training times estimated from times of forward passes. */
    public static TrainingTimes of(ComputeTimes times) {
        double[] backward = Arrays.stream(times.steps()).map(step -> step * BACKWARD).toArray();
        return new TrainingTimes(times.steps(), backward);
    }

    /** Times of zero for a network of {@code steps} steps. */
    public static TrainingTimes none(int steps) {
        return new TrainingTimes(new double[steps], new double[steps]);
    }

    /**
     * Seconds of the forward pass through the steps {@code from} (inclusive) to {@code to}
     * (exclusive).
     */
    double forward(int from, int to) {
        return Arrays.stream(forward, from, to).sum();
    }

    /** Seconds of the backward pass through these steps. */
    double backward(int from, int to) {
        return Arrays.stream(backward, from, to).sum();
    }
}
