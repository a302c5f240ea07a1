package dev.levee.federated.privacy;

import java.util.random.RandomGenerator;

/**
 * Draws integers x with probabilities proportional to exp(−x²/2σ²) (Canonne, Kamath, Steinke, "The
 * Discrete Gaussian for Differential Privacy", NeurIPS 2020, algorithms 2 and 3, with acceptance
 * probabilities in double precision).
 */
final class DiscreteGaussian {
    private static final double INVERSE_E = Math.exp(-1);

    private final double deviation;

    /** The scale of the Laplace proposal distribution, ⌊σ⌋ + 1. */
    private final int scale;

    /**
     * Creates a distribution.
     *
     * @param deviation σ, above 0
     */
    DiscreteGaussian(double deviation) {
        if (!(deviation > 0 && deviation < Integer.MAX_VALUE)) {
            throw new IllegalArgumentException(
                    "the deviation of a discrete Gaussian must be above 0, got " + deviation);
        }
        this.deviation = deviation;
        scale = (int) Math.floor(deviation) + 1;
    }

    /** Draws an integer. */
    long next(RandomGenerator random) {
        while (true) {
            long proposed = laplace(random);
            double distance = (Math.abs(proposed) - deviation * deviation / scale) / deviation;
            if (random.nextDouble() < Math.exp(-distance * distance / 2)) {
                return proposed;
            }
        }
    }

    /** Draws an integer x with a probability proportional to exp(−|x|/scale). */
    private long laplace(RandomGenerator random) {
        while (true) {
            int remainder = random.nextInt(scale);
            if (random.nextDouble() >= Math.exp(-remainder / (double) scale)) {
                continue;
            }
            long whole = 0;
            while (random.nextDouble() < INVERSE_E) {
                whole++;
            }
            long size = remainder + scale * whole;
            boolean negative = random.nextBoolean();
            if (size != 0 || !negative) {
                return negative ? -size : size;
            }
        }
    }
}
