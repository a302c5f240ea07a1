package dev.levee.jobs.internal.config.federated;

import static dev.levee.jobs.internal.config.setting.Values.named;

import dev.levee.federated.privacy.Privacy;
import dev.levee.jobs.internal.config.setting.Setting;
import dev.levee.operators.rounds.securesum.Masking;
import dev.levee.operators.rounds.securesum.plan.SumPlan;
import dev.levee.operators.rounds.securesum.plan.SumRates;

import java.util.Optional;

/** The settings that limit what a run reveals about one device. */
public record PrivacySettings(
        @Setting(
                        group = "Privacy",
                        label = "S",
                        derived = "off",
                        range = "(0, inf)",
                        told = true,
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
                        label = "RATES",
                        bare = PrivacySettings.ALL_STAY,
                        derived = "off",
                        told = true,
                        help =
                                "Let the server read only the sum of a round. Rates such as"
                                        + " dropout=0.2,collude=0.1 are the shares of a round's"
                                        + " devices that may drop out and that may collude with"
                                        + " the server. Without rates, which needs"
                                        + " --bootstrap-servers, a round is lost if a device"
                                        + " leaves.")
                String secureSum) {
    /** The value of {@link #secureSum} without failure rates. */
    static final String ALL_STAY = "true";

    /**
     * Fills in δ and checks the settings.
     *
     * @throws IllegalArgumentException if δ is given without noise, or failure rates are invalid;
     *     one sentence
     */
    public PrivacySettings {
        if (dpDelta != null && dpNoise == null) {
            throw new IllegalArgumentException("--dp-delta is for runs with --dp-noise");
        }
        if (secureSum != null && secureSum.equals("false")) {
            secureSum = null;
        } else if (secureSum != null && !secureSum.equals(ALL_STAY)) {
            String given = secureSum;
            named("--secure-sum", () -> SumRates.parse(given));
        }
        dpDelta = dpDelta != null || dpNoise == null ? dpDelta : Double.valueOf(Privacy.DELTA);
    }

    /** True if noise is added. */
    boolean noisy() {
        return dpNoise != null;
    }

    /** True if the server learns only sums of contributions. */
    public boolean summed() {
        return secureSum != null;
    }

    /** True if devices may leave a sum. */
    boolean rated() {
        return summed() && !secureSum.equals(ALL_STAY);
    }

    /** The failures that the sum of a round tolerates; empty without rates. */
    public Optional<SumPlan> plan(int perRound) {
        return rated() ? Optional.of(SumRates.parse(secureSum).plan(perRound)) : Optional.empty();
    }

    private Masking masking() {
        if (rated()) {
            return new Masking.Recoverable(SumRates.parse(secureSum));
        }
        return summed() ? Masking.PAIRWISE : Masking.NONE;
    }

    /** Creates the privacy protection. */
    Privacy privacy() {
        return new Privacy(
                dpClip == null ? Double.POSITIVE_INFINITY : dpClip,
                noisy() ? dpNoise : 0,
                noisy() ? dpDelta : Privacy.DELTA,
                masking());
    }
}
