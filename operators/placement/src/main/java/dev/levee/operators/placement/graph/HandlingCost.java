package dev.levee.operators.placement.graph;

/**
 * Processor time that a process needs in addition to its operators. Sending or receiving an output
 * takes time for serialization, copies, and the network stack; a slower device takes longer. Other
 * threads always take a fixed part of the processor, whatever its speed.
 *
 * @param perMessage seconds per output that a device of speed 1 sends to or receives from another
 *     device
 * @param perByte seconds per byte of such an output
 * @param share processor time of other threads, as a share of a processor of speed 1, from 0 to
 *     below 1
 */
public record HandlingCost(double perMessage, double perByte, double share) {
    /** Bytes per megabyte, the unit in which users read and write times of transfers. */
    public static final double MEGABYTE = 1e6;

    /** No processor time, as in Baechi's model. */
    public static final HandlingCost NONE = new HandlingCost(0, 0, 0);

    public HandlingCost {
        if (!(perMessage >= 0 && perByte >= 0)
                || Double.isInfinite(perMessage)
                || Double.isInfinite(perByte)) {
            throw new IllegalArgumentException(
                    "handling must take 0 seconds or more for a message and a byte, got %s and %s"
                            .formatted(perMessage, perByte));
        }
        if (!(share >= 0 && share < 1)) {
            throw new IllegalArgumentException(
                    "other threads must take from 0 to below 1 of a core, got " + share);
        }
    }

    /** Seconds to send or receive an output of {@code bytes} bytes, on a device of speed 1. */
    public double seconds(long bytes) {
        return perMessage + bytes * perByte;
    }

    /**
     * The device with the speed that is left for operators.
     *
     * @throws IllegalArgumentException if no speed is left; one sentence
     */
    Device rest(Device device) {
        if (device.speed() <= share) {
            throw new IllegalArgumentException(
                    "device %s has a speed of %s, and other threads than those of operators take %.3f"
                            .formatted(device.name(), device.speed(), share));
        }
        return new Device(device.name(), device.memory(), device.speed() - share);
    }
}
