package dev.levee.operators.placement.graph;

/**
 * A device that runs one operator at a time.
 *
 * @param name unique in its cluster
 * @param memory memory in bytes
 * @param speed speed relative to the device on which compute times were measured
 */
public record Device(String name, long memory, double speed) {
    public Device {
        if (memory <= 0) {
            throw new IllegalArgumentException(
                    "device %s must have memory above 0, got %d".formatted(name, memory));
        }
        if (!(speed > 0) || Double.isInfinite(speed)) {
            throw new IllegalArgumentException(
                    "device %s must have a speed above 0, got %s".formatted(name, speed));
        }
    }

    /** A device of speed 1. */
    public static Device of(String name, long memory) {
        return new Device(name, memory, 1);
    }

    /** Seconds of an operator on this device. */
    public double seconds(Operator operator) {
        return operator.seconds() / speed;
    }
}
