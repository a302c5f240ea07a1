package dev.levee.federated.privacy;

import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * An upper bound on the information that a run reveals about one device, compared with a run in
 * which the device sends zeros (Kairouz et al., "Practical and Private (Deep) Learning Without
 * Sampling or Shuffling", ICML 2021). If rounds ask devices independently, also compared with a run
 * without it; otherwise, another device would be asked in its place. It is the Rényi differential
 * privacy of the sampled Gaussian mechanism (Mironov, Talwar and Zhang, "Rényi Differential Privacy
 * of the Sampled Gaussian Mechanism", 2019), converted to (ε, δ) as by Balle, Barthe, Gaboardi, Hsu
 * and Sato ("Hypothesis Testing Interpretations and Renyi Differential Privacy", AISTATS 2020,
 * theorem 21).
 */
public final class RenyiAccountant {
    /** 1.1 to 10.9 in steps of a tenth, and 12 to 63. */
    private static final double[] ORDERS =
            DoubleStream.concat(
                            IntStream.range(1, 100).mapToDouble(tenths -> 1 + tenths / 10.0),
                            IntStream.range(12, 64).asDoubleStream())
                    .toArray();

    /** Number of standard deviations beyond which a Gaussian is negligible. */
    private static final double TAIL = 14;

    /**
     * Noise below which the integral would take seconds, and hours far below it: the number of its
     * points grows with 1/σ². ε is in the hundreds there, or the sample very rare, and a bound in
     * closed form is as good.
     */
    private static final double LEAST_INTEGRATED = 0.05;

    /** Number of points for each length on which an integrand changes. */
    private static final int POINTS = 8;

    /** Cost of a round, by order. */
    private final double[] divergences;

    /**
     * Creates an accountant of identical rounds.
     *
     * @param rate probability with which a round asks a device independently; 1 for any other
     *     sampling
     * @param noise standard deviation of the noise on the sum, divided by the norm to which each
     *     contribution is clipped
     * @throws IllegalArgumentException if a number is invalid; one sentence
     */
    public RenyiAccountant(double rate, double noise) {
        require(rate > 0 && rate <= 1, "a sampling rate must be above 0 and at most 1", rate);
        require(noise > 0 && noise < Double.POSITIVE_INFINITY, "noise must be above 0", noise);
        divergences =
                DoubleStream.of(ORDERS).map(order -> divergence(rate, noise, order)).toArray();
    }

    /**
     * ε after a number of rounds.
     *
     * @param rounds number of rounds, at least 1
     * @param delta δ, between 0 and 1
     * @throws IllegalArgumentException if a number is invalid; one sentence
     */
    public double epsilon(long rounds, double delta) {
        require(rounds >= 1, "rounds must be at least 1", rounds);
        require(delta > 0 && delta < 1, "delta must be above 0 and below 1", delta);
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < ORDERS.length; i++) {
            double order = ORDERS[i];
            double epsilon =
                    rounds * divergences[i]
                            - (StrictMath.log(delta) + StrictMath.log(order)) / (order - 1)
                            + StrictMath.log((order - 1) / order);
            least = Math.min(least, epsilon);
        }
        return Math.max(0, least);
    }

    private static void require(boolean condition, String sentence, double value) {
        if (!condition) {
            throw new IllegalArgumentException(sentence + ", got " + value);
        }
    }

    /**
     * Rényi divergence of one round: 1/(α − 1) times the logarithm of E((1 − q) + q·e^((2z −
     * 1)/(2σ²)))^α over z normal with mean 0 and standard deviation σ (section 3.3). For very small
     * σ, an upper bound on it.
     */
    static double divergence(double rate, double noise, double order) {
        if (rate == 1) {
            return order / (2 * noise * noise);
        }
        double moment =
                noise < LEAST_INTEGRATED
                        ? mostLogMoment(rate, noise, order)
                        : logMoment(rate, noise, order);
        return moment / (order - 1);
    }

    /**
     * An upper bound by Minkowski's inequality: the norm of order α of a sum is at most the sum of
     * the norms, (1 − q) + q·e^((α − 1)/(2σ²)). It is never above the cost without sampling.
     */
    static double mostLogMoment(double rate, double noise, double order) {
        return order * logMixture(rate, (order - 1) / (2 * noise * noise));
    }

    /**
     * Integrates by the trapezoidal rule, which is exact up to rounding here: the integrand is a
     * Gaussian times a function whose nearest pole is πσ² from the real line.
     */
    private static double logMoment(double rate, double noise, double order) {
        double square = noise * noise;
        double step = Math.min(noise, square) / POINTS;
        long from = (long) Math.floor(-TAIL * noise / step);
        long to = (long) Math.ceil((order + TAIL * noise) / step);
        double most = Double.NEGATIVE_INFINITY;
        for (long i = from; i <= to; i++) {
            most = Math.max(most, logIntegrand(rate, square, order, i * step));
        }
        double sum = 0;
        for (long i = from; i <= to; i++) {
            sum += StrictMath.exp(logIntegrand(rate, square, order, i * step) - most);
        }
        double density = step / StrictMath.sqrt(2 * Math.PI * square);
        return most + StrictMath.log(sum * density);
    }

    private static double logIntegrand(double rate, double square, double order, double z) {
        return order * logMixture(rate, (2 * z - 1) / (2 * square)) - z * z / (2 * square);
    }

    /** The logarithm of (1 − q) + q·e^x. */
    private static double logMixture(double rate, double x) {
        double out = StrictMath.log1p(-rate);
        double in = StrictMath.log(rate) + x;
        double larger = Math.max(out, in);
        return larger + StrictMath.log1p(StrictMath.exp(Math.min(out, in) - larger));
    }
}
