package dev.levee.k8s.allocator;

/**
 * The progress of a job, in rounds at its reference batch ({@link BatchRange#reference()}), and the
 * value of a larger batch.
 *
 * @param rounds progress so far: the sum of the gains of its rounds; NaN if unknown
 * @param left remaining progress to the end that the user declared; NaN if there is none
 * @param noiseScale the gradient's noise scale, tr(Σ) / |G|² in samples (McCandlish et al. 2018,
 *     "An empirical model of large-batch training", §2.2); NaN if unknown
 */
public record Progress(double rounds, double left, double noiseScale) {
    /** The progress of a job that does not measure it. */
    public static final Progress UNKNOWN = new Progress(Double.NaN, Double.NaN, Double.NaN);

    /** Cap of the noise scale, which is infinite if |G|² vanishes. */
    private static final double LARGEST_NOISE = 1e12;

    /**
     * The gain of a round with a batch, in rounds at the reference batch: (φ/B₀ + 1) / (φ/B + 1)
     * (Johnson et al. 2020, "AdaScale SGD", §3). It is at most B/B₀, its value for infinite noise,
     * and 1 if the noise scale is unknown.
     *
     * @param batch samples per round
     * @param reference samples per round at the reference batch
     */
    public double gain(double batch, double reference) {
        if (Double.isNaN(noiseScale)) {
            return 1;
        }
        double noise = Math.max(0, Math.min(LARGEST_NOISE, noiseScale));
        return (noise / reference + 1) / (noise / batch + 1);
    }
}
