package dev.levee.operators.rounds.coding;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Fractional repetition: the shares are divided into n / (s + 1) parts, and s + 1 workers send the
 * mean of the same part. Their copies are bit-identical, so any of them can be used.
 *
 * @param workers n, a multiple of s + 1
 * @param stragglers s
 */
public record Fractional(int workers, int stragglers) implements GradientCode {
    /** Checks that the parts are equal. */
    public Fractional {
        require(
                workers % (stragglers + 1) == 0,
                "{coding} fractional(%s) needs a number of {workers} that %s divides, got %s",
                stragglers,
                stragglers + 1,
                workers);
    }

    /** Number of parts. */
    int parts() {
        return workers / (stragglers + 1);
    }

    /** The part that a worker sends. */
    int part(int worker) {
        return worker % parts();
    }

    @Override
    public String name() {
        return "fractional(" + stragglers + ")";
    }

    @Override
    public int[] shares(int worker) {
        int first = part(worker) * (stragglers + 1);
        return IntStream.rangeClosed(first, first + stragglers).toArray();
    }

    /** Coefficients of a mean, so that an answer has the magnitude of a gradient. */
    @Override
    public double[] coefficients(int worker) {
        double[] mean = new double[stragglers + 1];
        Arrays.fill(mean, 1.0 / mean.length);
        return mean;
    }

    /**
     * Uses the first copy of each part. A part without copies is left out, which is the best
     * approximation.
     */
    @Override
    public Decoding decode(int[] answers) {
        double[] weights = new double[answers.length];
        boolean[] taken = new boolean[parts()];
        int missing = parts();
        for (int i = 0; i < answers.length; i++) {
            int part = part(answers[i]);
            if (!taken[part]) {
                taken[part] = true;
                weights[i] = stragglers + 1;
                missing--;
            }
        }
        return new Decoding(weights, (double) missing / parts());
    }
}
