package dev.levee.operators.rounds;

import dev.levee.gar.Looked;

/**
 * How the gradients of the two halves of one batch lie to each other: what a round of one worker
 * has to say of the gradient's noise, where others compare two workers. Sums over all trainable
 * coordinates.
 *
 * @param squaredDistance |g₁ − g₂|²
 * @param product ⟨g₁, g₂⟩
 */
public record HalfBatches(double squaredDistance, double product) {
    /** Of a batch, the first half has so many samples, and the second the rest. */
    public static int first(int batch) {
        return batch / 2;
    }

    /** Of two gradients, whose first coordinates are those that are trained. */
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

    /** The same as a look at two rows. */
    public Looked looked() {
        return new Looked(2, new double[] {squaredDistance}, new double[] {product});
    }
}
