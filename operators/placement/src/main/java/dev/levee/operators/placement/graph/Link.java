package dev.levee.operators.placement.graph;

/**
 * A link from one device to another.
 *
 * @param latency seconds before the first byte arrives
 * @param bandwidth bytes per second; infinite if only the latency counts
 */
public record Link(double latency, double bandwidth) {
    public Link {
        if (!(latency >= 0) || Double.isInfinite(latency) || !(bandwidth > 0)) {
            throw new IllegalArgumentException(
                    "a link must have a latency of 0 or more and a bandwidth above 0, got %s and %s"
                            .formatted(latency, bandwidth));
        }
    }

    /** Seconds to send {@code bytes} bytes. */
    public double seconds(long bytes) {
        return latency + bytes / bandwidth;
    }
}
