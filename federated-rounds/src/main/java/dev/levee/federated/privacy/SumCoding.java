package dev.levee.federated.privacy;

import java.util.random.RandomGenerator;

/**
 * Devices' differences as integers modulo 2³², of which a secure sum adds up those of the devices
 * that stay, and the weighted mean back: Σ w·x / Σ w. The weight of a device is one more value of
 * the sum, so the server learns neither a difference nor a weight. The unit is such that the sum of
 * all asked devices never wraps, so it is exact in units.
 *
 * <p>With noise, each device adds a discrete Gaussian of variance (z·S)²/m in units, where m is the
 * fewest devices whose sum may show: so any sum that shows carries at least (z·S)² (Kairouz, Liu,
 * Steinke, "The Distributed Discrete Gaussian Mechanism for Federated Learning with Secure
 * Aggregation", ICML 2021). Their τ, by which a sum of discrete Gaussians differs from one, is
 * below 10⁻³⁰ for the deviations accepted here.
 */
public final class SumCoding {
    /** So many deviations of noise have room; more has a probability of 10⁻³². */
    private static final int NOISE_ROOM = 12;

    /** Below this, in units, noise is too coarse to count as a Gaussian. */
    private static final double LEAST_DEVIATION = 4;

    private final Privacy privacy;
    private final double largest;
    private final double unit;
    private final DiscreteGaussian noise;

    /**
     * A coding.
     *
     * @param privacy clips each difference to a norm, and sets the noise
     * @param largest absolute value of a coordinate, beyond which it is cut; the norm if that is
     *     less
     * @param asked devices that the round asks
     * @param fewest devices whose sum may show
     * @throws IllegalArgumentException if a number makes no sense or noise is too small for the
     *     unit; one sentence
     */
    public SumCoding(Privacy privacy, double largest, int asked, int fewest) {
        if (!(largest > 0 && largest < Double.POSITIVE_INFINITY) || fewest < 1 || asked < fewest) {
            throw new IllegalArgumentException(
                    "a sum of %d to %d devices with values of at most %s"
                            .formatted(fewest, asked, largest));
        }
        this.privacy = privacy;
        this.largest = Math.min(largest, privacy.clip());
        double deviation = privacy.deviation(fewest);
        // A value takes at most half a unit more by rounding, hence 1 is left for each device.
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
     * The integers of a device: its difference, clipped, times its weight, and behind it its
     * weight.
     *
     * @param difference not changed
     * @param weight above 0 and at most 1, such as its samples over the most that a device may
     *     have; 1 with noise, whose bound is for equal weights
     * @throws IllegalArgumentException if the weight is something else; one sentence
     */
    public int[] encode(float[] difference, double weight, RandomGenerator random) {
        if (!(weight > 0 && weight <= 1) || noise != null && weight != 1) {
            throw new IllegalArgumentException(
                    "a weight must be above 0 and at most 1, and 1 with noise, got " + weight);
        }
        double squares = 0;
        for (float value : difference) {
            squares += Float.isNaN(value) ? 0 : (double) value * value;
        }
        double scale = privacy.none() ? 1 : Math.min(1, privacy.clip() / Math.sqrt(squares));
        int[] integers = new int[difference.length + 1];
        for (int i = 0; i < difference.length; i++) {
            double clipped = Math.max(-largest, Math.min(largest, scale * difference[i]));
            long integer = Math.round(weight * clipped / unit); // 0 of NaN
            integers[i] = (int) (noise == null ? integer : integer + noise.next(random));
        }
        integers[difference.length] = units(weight);
        return integers;
    }

    /** A weight in units, at least 1. */
    public int units(double weight) {
        return (int) Math.max(1, Math.round(weight / unit));
    }
}
