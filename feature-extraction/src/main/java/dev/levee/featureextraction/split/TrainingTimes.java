package dev.levee.featureextraction.split;

import java.util.Arrays;

/**
 * Seconds that one thread takes in training for one image of a micro-batch.
 *
 * @param forward forward through each step of the network
 * @param backward backward through each step, with the sum of gradients
 */
public record TrainingTimes(double[] forward, double[] backward) {
    /** Seconds backward over seconds forward where only these were measured. */
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

    /** Times of which only those of forward passes are known. */
    public static TrainingTimes of(ComputeTimes times) {
        double[] backward = Arrays.stream(times.steps()).map(step -> step * BACKWARD).toArray();
        return new TrainingTimes(times.steps(), backward);
    }

    /** Times of a network of so many steps that take none. */
    public static TrainingTimes none(int steps) {
        return new TrainingTimes(new double[steps], new double[steps]);
    }

    /** Forward through the steps from {@code from} to before {@code to}. */
    double forward(int from, int to) {
        return Arrays.stream(forward, from, to).sum();
    }

    /** Backward through them. */
    double backward(int from, int to) {
        return Arrays.stream(backward, from, to).sum();
    }
}
