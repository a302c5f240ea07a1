package dev.levee.operators.placement.graph;

/**
 * Processor time that a process takes besides its operators. Sending or receiving an output takes
 * it for serialization, copies, and the network stack; a slower device takes longer. Other threads
 * always take a part of the processor, whatever its speed.
 *
 * @param perMessage seconds of a device of speed 1 for an output that it sends to another device or
 *     receives from one
 * @param perByte seconds of each of its bytes
 * @param share what other threads take of a processor of speed 1, from 0 to below 1
 */
public record Handling(double perMessage, double perByte, double share) {
    /** Bytes of a megabyte, the unit in which users write and read times of transfers. */
    public static final double MEGABYTE = 1e6;

    /** Nothing, as in Baechi's model. */
    public static final Handling NONE = new Handling(0, 0, 0);

    public Handling {
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

    /** Seconds of an output of so many bytes, at either end. */
    public double seconds(long bytes) {
        return perMessage + bytes * perByte;
    }

    /**
     * The device as operators have it.
     *
     * @throws IllegalArgumentException if nothing is left; one sentence
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
