package dev.levee.federated.gateway.topic;

/**
 * A version that a contribution answers. In an asynchronous run, the version may be older than
 * those that this gateway knows. Then only the job knows which devices it asked.
 *
 * @param shape a known version of the same run, whose blocks have the same sizes
 */
public record AnsweredVersion(long run, long version, PublishedVersion shape) {
    /** Maximum number of versions between an answered version and the newest. */
    public static final long MOST_BEHIND = 1000;

    /** True if a device may answer this version, as far as the gateway knows. */
    public boolean asks(int device) {
        return shape.version() != version || shape.asks(device);
    }
}
