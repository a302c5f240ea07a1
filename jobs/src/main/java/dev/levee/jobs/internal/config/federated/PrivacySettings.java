package dev.levee.jobs.internal.config.federated;

import dev.levee.federated.privacy.Privacy;
import dev.levee.jobs.internal.config.setting.Setting;

/** Settings that limit what a run reveals about one device. */
public record PrivacySettings(
        @Setting(
                        group = "Privacy",
                        label = "S",
                        derived = "off",
                        range = "(0, inf)",
                        help = "Norm to which contributions are clipped.")
                Double dpClip,
        @Setting(
                        label = "Z",
                        derived = "off",
                        range = "(0, inf)",
                        help =
                                "Standard deviation of the noise on the sum of a round, in units"
                                        + " of --dp-clip.")
                Double dpNoise,
        @Setting(
                        label = "D",
                        derived = "0.00001 with --dp-noise",
                        range = "(0, 1)",
                        help = "Probability δ with which the privacy bound may fail.")
                Double dpDelta,
        @Setting(
                        label = "",
                        help = "With --bootstrap-servers: only the sum of a round can be read.")
                Boolean secureSum) {
    /**
     * Fills in δ.
     *
     * @throws IllegalArgumentException if it is given and nothing has a bound; one sentence
     */
    public PrivacySettings {
        if (dpDelta != null && dpNoise == null) {
            throw new IllegalArgumentException("--dp-delta is for runs with --dp-noise");
        }
        dpDelta = dpDelta != null || dpNoise == null ? dpDelta : Double.valueOf(Privacy.DELTA);
    }

    /** True if noise is added. */
    boolean noisy() {
        return dpNoise != null;
    }

    /** True if the server learns no more than sums. */
    public boolean summed() {
        return secureSum != null && secureSum;
    }

    /** The protection. */
    Privacy privacy() {
        return new Privacy(
                dpClip == null ? Double.POSITIVE_INFINITY : dpClip,
                noisy() ? dpNoise : 0,
                noisy() ? dpDelta : Privacy.DELTA,
                summed());
    }
}
