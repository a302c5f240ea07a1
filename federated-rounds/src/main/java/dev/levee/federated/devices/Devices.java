package dev.levee.federated.devices;

import dev.levee.operators.rounds.SharedValue;

import java.io.Serializable;

/** The server's knowledge of the devices before the first round. Immutable. */
public final class Devices implements Serializable {
    private static final long serialVersionUID = 1L;

    private final SharedValue<Census> census;
    private final SharedValue<double[]> capabilities;

    /**
     * Creates devices with capabilities.
     *
     * @param census the samples of each device by class
     * @param capabilities relative computing speed of each device, above 0
     * @throws IllegalArgumentException if there is not one capability for each device, or one is
     *     not above 0; one sentence
     */
    public Devices(Census census, double[] capabilities) {
        if (capabilities.length != census.devices()) {
            throw new IllegalArgumentException(
                    "%d devices need as many capabilities, got %d"
                            .formatted(census.devices(), capabilities.length));
        }
        for (double each : capabilities) {
            if (!(each > 0 && each < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "a capability must be a number above 0, got " + each);
            }
        }
        this.census = SharedValue.of(census);
        this.capabilities = SharedValue.of(capabilities.clone());
    }

    /** The samples of each device by class. */
    public Census census() {
        return census.get();
    }

    /** Number of devices. */
    public int count() {
        return capabilities.get().length;
    }

    /** Relative computing speed of a device. */
    public double capability(int device) {
        return capabilities.get()[device];
    }
}
