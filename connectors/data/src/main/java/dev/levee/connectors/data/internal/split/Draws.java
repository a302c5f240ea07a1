package dev.levee.connectors.data.internal.split;

/**
 * A stream of random numbers that is the same on every machine and Java version: SplitMix64
 * (Steele, Lea, Flood 2014), seeded with a hash of the key.
 */
public final class Draws {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    public Draws(long... key) {
        long hash = 0;
        for (long part : key) {
            hash = mix(hash + GAMMA + mix(part + GAMMA));
        }
        state = hash;
    }

    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    private long next() {
        state += GAMMA;
        return mix(state);
    }

    /** Uniform in [0, 1). */
    public double uniform() {
        return (next() >>> 11) * 0x1p-53;
    }

    /** Uniform in [low, high). */
    public double uniform(double low, double high) {
        return low + (high - low) * uniform();
    }

    /** Uniform in 0 to bound − 1, without bias. */
    public int below(int bound) {
        long limit = Long.MAX_VALUE - Long.MAX_VALUE % bound;
        long drawn = next() >>> 1;
        while (drawn >= limit) {
            drawn = next() >>> 1;
        }
        return (int) (drawn % bound);
    }

    /** Standard normal, by Marsaglia's polar method. */
    public double normal() {
        while (true) {
            double x = uniform(-1, 1);
            double y = uniform(-1, 1);
            double square = x * x + y * y;
            if (square > 0 && square < 1) {
                return x * Math.sqrt(-2 * StrictMath.log(square) / square);
            }
        }
    }

    /**
     * The logarithm of a Gamma(shape, 1) variate, by Marsaglia and Tsang (2000). It is finite even
     * if the variate would round to zero.
     */
    double logGamma(double shape) {
        if (shape < 1) {
            return logGamma(shape + 1) + StrictMath.log(1 - uniform()) / shape;
        }
        double d = shape - 1.0 / 3;
        double c = 1 / Math.sqrt(9 * d);
        while (true) {
            double x = normal();
            double root = 1 + c * x;
            if (root > 0) {
                double v = root * root * root;
                double u = 1 - uniform();
                if (StrictMath.log(u) < 0.5 * x * x + d - d * v + d * StrictMath.log(v)) {
                    return StrictMath.log(d) + StrictMath.log(v);
                }
            }
        }
    }

    /** Puts {@code values} in a random order, every order equally likely. */
    public void shuffle(int[] values) {
        for (int i = values.length - 1; i > 0; i--) {
            int j = below(i + 1);
            int swapped = values[i];
            values[i] = values[j];
            values[j] = swapped;
        }
    }
}
