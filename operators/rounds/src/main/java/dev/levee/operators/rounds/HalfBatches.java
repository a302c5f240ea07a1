package dev.levee.operators.rounds;

import dev.levee.gar.LookResult;

/**
 * Compares the gradients of the two halves of one batch, which measures the gradient's noise if
 * there is one worker. With several workers, pairs of workers are compared instead. Sums are over
 * all trainable coordinates.
 *
 * @param squaredDistance |g₁ − g₂|²
 * @param product ⟨g₁, g₂⟩
 */
public record HalfBatches(double squaredDistance, double product) {
    /** Number of samples in the first half of a batch; the second half has the rest. */
    public static int first(int batch) {
        return batch / 2;
    }

    /** Compares two gradients whose first coordinates are trained. */
    public static HalfBatches of(float[] first, float[] second, int trainable) {
        double distance = 0;
        double product = 0;
        for (int i = 0; i < trainable; i++) {
            double difference = (double) first[i] - second[i];
            distance += difference * difference;
            product += (double) first[i] * second[i];
        }
        return new HalfBatches(distance, product);
    }

    /** The same comparison as measurements of two rows. */
    public LookResult looked() {
        return new LookResult(2, new double[] {squaredDistance}, new double[] {product});
    }
}
