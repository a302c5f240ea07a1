package dev.levee.federated.privacy;

import java.util.random.RandomGenerator;

/**
 * Encodes devices' differences as integers modulo 2³² for a secure sum, and decodes the weighted
 * mean of the devices that stay: Σ w·x / Σ w. The weight of a device is an additional value of the
 * sum, so the server learns neither a difference nor a weight. The unit is chosen so that the sum
 * of all asked devices never wraps, so the sum is exact in units.
 *
 * <p>With noise, each device adds a discrete Gaussian of variance (z·S)²/m in units, where m is the
 * fewest devices of a revealed sum that do not collude. So any revealed sum has noise of variance
 * at least (z·S)² that the colluding devices do not know (Kairouz, Liu, Steinke, "The Distributed
 * Discrete Gaussian Mechanism for Federated Learning with Secure Aggregation", ICML 2021). The
 * paper's τ, by which a sum of discrete Gaussians differs from a discrete Gaussian, is below 10⁻³⁰
 * for the accepted deviations.
 */
public final class SumCoding {
    /**
     * Number of standard deviations of noise that fit into the range; larger noise has a
     * probability of 10⁻³².
     */
    private static final int NOISE_ROOM = 12;

    /**
     * Least standard deviation of noise in units; with less, noise is too coarse to count as a
     * Gaussian.
     */
    private static final double LEAST_DEVIATION = 4;

    private final Privacy privacy;
    private final double largest;
    private final double unit;
    private final DiscreteGaussian noise;

    /**
     * Creates a coding.
     *
     * @param privacy the norm for clipping and the noise
     * @param largest largest absolute value of a coordinate, to which larger ones are clipped;
     *     limited by the norm
     * @param asked number of devices that the round asks
     * @param honest fewest devices of a revealed sum that do not collude with the server
     * @throws IllegalArgumentException if a number is invalid or noise is too small for the unit;
     *     one sentence
     */
    public SumCoding(Privacy privacy, double largest, int asked, int honest) {
        if (!(largest > 0 && largest < Double.POSITIVE_INFINITY) || honest < 1 || asked < honest) {
            throw new IllegalArgumentException(
                    "a sum of %d to %d devices with values of at most %s"
                            .formatted(honest, asked, largest));
        }
        this.privacy = privacy;
        this.largest = Math.min(largest, privacy.clip());
        double deviation = privacy.deviation(honest);
        // Rounding adds at most half a unit to a value, so one unit is reserved for each device.
        unit =
                asked
                        * (Math.max(1, this.largest) + NOISE_ROOM * deviation)
                        / (Integer.MAX_VALUE - (double) asked);
        noise = deviation == 0 ? null : new DiscreteGaussian(deviation / unit);
        if (noise != null && deviation / unit < LEAST_DEVIATION) {
            throw new IllegalArgumentException(
                    "noise of %s units is too little for %d devices: raise the noise or ask fewer"
                            .formatted(deviation / unit, asked));
        }
    }

    /** The value of the integer 1. */
    double unit() {
        return unit;
    }

    /**
     * The integers of a device: its clipped difference times its weight, followed by its weight.
     *
     * @param difference the difference, not changed
     * @param weight weight above 0 and at most 1, such as its number of samples divided by the most
     *     that a device may have; 1 with noise, whose bound is for equal weights
     * @throws IllegalArgumentException if the weight is out of range; one sentence
     */
    public int[] encode(float[] difference, double weight, RandomGenerator random) {
        if (!(weight > 0 && weight <= 1) || noise != null && weight != 1) {
            throw new IllegalArgumentException(
                    "a weight must be above 0 and at most 1, and 1 with noise, got " + weight);
        }
        double scale = Privacy.scale(difference, difference.length, norm(difference.length));
        int[] integers = new int[difference.length + 1];
        for (int i = 0; i < difference.length; i++) {
            double clipped = Math.max(-largest, Math.min(largest, scale * difference[i]));
            long integer = Math.round(weight * clipped / unit); // 0 of NaN
            integers[i] = (int) (noise == null ? integer : integer + noise.next(random));
        }
        integers[difference.length] = units(weight);
        return integers;
    }

    /**
     * The norm to which a difference is clipped. With noise, rounding must not make it longer than
     * S: it adds at most half a unit to each value, and at most doubles it.
     */
    private double norm(int length) {
        double clip = privacy.clip();
        return noise == null ? clip : Math.max(clip / 2, clip - unit / 2 * Math.sqrt(length));
    }

    /** A weight in units, at least 1. */
    public int units(double weight) {
        return (int) Math.max(1, Math.round(weight / unit));
    }
}
