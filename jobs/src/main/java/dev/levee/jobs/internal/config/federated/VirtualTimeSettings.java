package dev.levee.jobs.internal.config.federated;

import static dev.levee.jobs.internal.config.setting.Values.named;

import dev.levee.federated.Algorithm;
import dev.levee.federated.devices.Capabilities;
import dev.levee.federated.plan.VirtualTime;
import dev.levee.jobs.internal.config.setting.Setting;

/** The simulated speed and availability of devices. */
public record VirtualTimeSettings(
        @Setting(
                        group = "Virtual time",
                        label = "LAW",
                        derived = "off, or lognormal(1) without a barrier, over Kafka wall",
                        help =
                                "Speed of devices in virtual time, where a batch takes one second"
                                        + " at speed 1: equal, uniform(LOW, HIGH),"
                                        + " lognormal(SIGMA) or half-normal(LEAST); or wall, real"
                                        + " time.")
                String speed,
        @Setting(
                        label = "P",
                        derived = "1 with --speed",
                        range = "(0, 1]",
                        help = "Share of the virtual time in which a device is available.")
                Double available) {
    /** The speed of devices that run in real time. */
    static final String WALL = "wall";

    /**
     * Fills in defaults that depend on the algorithm.
     *
     * @param again true for the replay of a run that was in real time
     * @throws IllegalArgumentException if a setting has no effect; one sentence
     */
    VirtualTimeSettings completed(Algorithm algorithm, boolean again) {
        String law = Pacing.of(algorithm).speed(speed, algorithm, again);
        VirtualTimeSettings all = new VirtualTimeSettings(law, available);
        if (available != null && !all.virtual()) {
            throw new IllegalArgumentException("--available is for runs with a virtual --speed");
        }
        return available != null || !all.virtual() ? all : new VirtualTimeSettings(law, 1.0);
    }

    /** True if the time that devices take is simulated. */
    boolean virtual() {
        return speed != null && !wall();
    }

    /** True if devices run in real time. */
    public boolean wall() {
        return WALL.equals(speed);
    }

    /** The simulated speed and availability. */
    VirtualTime time() {
        return new VirtualTime(named("--speed", () -> Capabilities.parse(speed)), available);
    }
}
