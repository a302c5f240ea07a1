package dev.levee.operators.placement.graph;

/**
 * Processor time of a device of speed 1 for an output that it sends to another device or receives
 * from one: serialization, copies, and the network stack. The processor of a slower device takes
 * longer.
 *
 * @param perMessage seconds of an output
 * @param perByte seconds of each of its bytes
 */
public record Handling(double perMessage, double perByte) {
    /** Bytes of a megabyte, the unit in which users write and read times of transfers. */
    public static final double MEGABYTE = 1e6;

    /** Transfers that take no processor time, as in Baechi's model. */
    public static final Handling NONE = new Handling(0, 0);

    public Handling {
        if (!(perMessage >= 0 && perByte >= 0)
                || Double.isInfinite(perMessage)
                || Double.isInfinite(perByte)) {
            throw new IllegalArgumentException(
                    "handling must take 0 seconds or more for a message and a byte, got %s and %s"
                            .formatted(perMessage, perByte));
        }
    }

    /** Seconds of an output of so many bytes, at either end. */
    public double seconds(long bytes) {
        return perMessage + bytes * perByte;
    }
}
