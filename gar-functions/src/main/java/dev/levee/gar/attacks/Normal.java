package dev.levee.gar.attacks;

/** The standard normal distribution function Φ and its inverse, to nearly full double precision. */
final class Normal {
    private static final double ROOT_TWO_PI = Math.sqrt(2 * Math.PI);

    private Normal() {}

    /**
     * Φ(x). For x in (−2, 0], it sums the series Φ(x) = 1/2 + φ(x)·(x + x³/3 + x⁵/(3·5) + …).
     * Below, it uses the continued fraction of the tail, φ(x)/(t + 1/(t + 2/(t + 3/(t + …)))), t =
     * −x.
     */
    static double distribution(double x) {
        if (x > 0) {
            return 1 - distribution(-x);
        }
        if (x > -2) {
            double term = x;
            double sum = x;
            for (int k = 3; Math.abs(term) > 1e-18 * Math.abs(sum); k += 2) {
                term *= x * x / k;
                sum += term;
            }
            return 0.5 + density(x) * sum;
        }
        double fraction = -x;
        for (int k = 200; k >= 1; k--) {
            fraction = -x + k / fraction;
        }
        return density(x) / fraction;
    }

    /** The x with Φ(x) = p, for p in (0, 1). */
    static double quantile(double p) {
        if (!(p > 0 && p < 1)) {
            throw new IllegalArgumentException("a probability in (0, 1) is needed, got " + p);
        }
        if (p > 0.5) {
            return -quantile(1 - p);
        }
        // Φ(x) ≤ exp(−x²/2)/2, so this is a lower bound; Newton's method on the concave log Φ
        // climbs from it.
        double x = 0.0 - Math.sqrt(-2 * StrictMath.log(2 * p));
        for (int step = 0; step < 100; step++) {
            double value = distribution(x);
            double change = value / density(x) * StrictMath.log(value / p);
            x -= change;
            if (Math.abs(change) <= 1e-15 * Math.abs(x)) {
                break;
            }
        }
        return x;
    }

    private static double density(double x) {
        return StrictMath.exp(-0.5 * x * x) / ROOT_TWO_PI;
    }
}
