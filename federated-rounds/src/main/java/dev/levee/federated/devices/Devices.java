package dev.levee.federated.devices;

import java.io.Serializable;

/**
 * The server's knowledge of the devices before the first round. Immutable.
 *
 * @param census which classes each holds
 * @param capabilities how fast each computes, relative to the others, above 0
 */
public record Devices(Census census, double[] capabilities) implements Serializable {
    /**
     * Checks the capabilities.
     *
     * @throws IllegalArgumentException if they are not one for each device, or one is not above 0;
     *     one sentence
     */
    public Devices {
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
        capabilities = capabilities.clone();
    }

    /** Number of devices. */
    public int count() {
        return capabilities.length;
    }

    /** Relative computing speed of a device. */
    public double capability(int device) {
        return capabilities[device];
    }
}
