package dev.levee.federated.devices;

import java.util.Arrays;
import java.util.Locale;

/**
 * The weight of a device's contribution in the mean. A mean divides by the sum of its rows'
 * weights, so only the ratios of weights matter.
 */
public enum Weighting {
    /** Equal weights. */
    EQUAL,
    /** Proportional to the number of a device's samples, n_k (McMahan et al. 2017, algorithm 1). */
    SAMPLES,
    /** e^(−s_k) with s_k = (n_k/n)·D_KL(P_k‖Q), times load (thesis, equations 6.2 and 6.3). */
    KL,
    /** e^(−D_KL(P_k‖Q)), times load: without the share of samples, which makes all s_k small. */
    KL_UNSCALED,
    /** e^(+s_k), times load: the sign in FeGAN's released code. */
    KL_CODE;

    /** The name as users write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The weight of each device, above 0.
     *
     * @param load amount of each device's computation in a round, in any unit; 0 counts as 1, for
     *     devices that only score the model
     */
    public double[] weights(Census census, int[] load) {
        double[] weights = new double[census.devices()];
        Arrays.setAll(weights, device -> weight(census, device, Math.max(1, load[device])));
        return weights;
    }

    private double weight(Census census, int device, int load) {
        double divergence = census.divergence(device);
        double score = (double) census.samples(device) / census.samples() * divergence;
        return switch (this) {
            case EQUAL -> 1;
            case SAMPLES -> census.samples(device);
            case KL -> load * StrictMath.exp(-score);
            case KL_UNSCALED -> load * StrictMath.exp(-divergence);
            case KL_CODE -> load * StrictMath.exp(score);
        };
    }
}
