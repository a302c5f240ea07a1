package dev.levee.jobs.internal.config.federated;

import static dev.levee.jobs.internal.config.setting.Values.named;

import dev.levee.federated.Algorithm;
import dev.levee.federated.devices.Capabilities;
import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.jobs.internal.config.setting.Setting;

import java.util.List;

/** The devices and how they are sampled. */
public record DeviceSettings(
        @Setting(
                        group = "Devices",
                        label = "N",
                        derived = "80, or 4 for diloco, cser, adaalter and mdgan",
                        range = "[1, 1000000]",
                        help = "Number of devices.")
                Integer devices,
        @Setting(
                        label = "K",
                        derived =
                                "a fortieth of --devices, a tenth, or all for diloco, cser, adaalter and mdgan",
                        range = "[1, 10000]",
                        help =
                                "Devices asked per round, or that train at the same time without a"
                                        + " barrier inside the job.")
                Integer perRound,
        @Setting(
                        label = "NAME",
                        derived =
                                "balanced and uniform, balanced for fegan, or uniform for"
                                        + " fl-vanilla and where a round asks all",
                        help =
                                "uniform, poisson, balanced, balanced-repeating or capability."
                                        + " Repeat the option to train with several samplings side"
                                        + " by side.")
                List<String> sampling,
        @Setting(
                        label = "N",
                        derived = "off",
                        range = "[1, 1000000000]",
                        help =
                                "Over Kafka: devices have their own data, which the job does not"
                                        + " know, and may claim at most this many samples.")
                Integer mostSamples,
        @Setting(
                        label = "LAW",
                        fallback = "equal",
                        help =
                                "Relative speed of devices for --sampling and --load capability:"
                                        + " equal, uniform(LOW, HIGH), lognormal(SIGMA) or"
                                        + " half-normal(LEAST).")
                String capability) {
    private static final int ISLANDS = 4;
    private static final int DEVICES = 80;

    /** Fills in defaults that depend on the algorithm. */
    DeviceSettings completed(Algorithm algorithm) {
        boolean islands = algorithm.asked().everybody();
        int count = devices != null ? devices : islands ? ISLANDS : DEVICES;
        int share = Pacing.of(algorithm).share(count);
        int asked = perRound != null ? perRound : islands ? count : Math.max(1, share);
        return new DeviceSettings(
                count,
                asked,
                !sampling.isEmpty() ? sampling : usual(algorithm, asked >= count),
                mostSamples,
                capability);
    }

    private static List<String> usual(Algorithm algorithm, boolean all) {
        String own = algorithm.asked().sampling();
        List<String> usual = own != null ? List.of(own) : List.of("balanced", "uniform");
        return all ? List.of("uniform") : Pacing.of(algorithm).samplings(usual);
    }

    /** True if devices bring their own data, which the job does not deal. */
    boolean own() {
        return mostSamples != null;
    }

    /** Creates the participation with one of the samplings. */
    Participation participation(String chosen, Weighting weighting) {
        return new Participation(
                named("--sampling", () -> Sampling.parse(chosen)),
                perRound,
                named("--capability", () -> Capabilities.parse(capability)),
                weighting);
    }
}
