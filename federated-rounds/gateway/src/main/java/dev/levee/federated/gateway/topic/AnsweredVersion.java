package dev.levee.federated.gateway.topic;

/**
 * A version that a contribution answers. In an asynchronous run it may be older than all that this
 * gateway has seen; then the job alone knows whom it asked.
 *
 * @param shape a version of the same run, whose blocks have the same sizes
 */
public record AnsweredVersion(long run, long version, PublishedVersion shape) {
    /** Versions that an answer may be behind the newest. */
    public static final long MOST_BEHIND = 1000;

    /** Whether a device may answer it. */
    public boolean asks(int device) {
        return shape.version() != version || shape.asks(device);
    }
}
