package dev.levee.federated.gateway.topic;

import dev.levee.federated.gateway.metrics.Refusal;

/** Signals that a request is refused; the message is one sentence for the client. */
public final class RefusedException extends Exception {
    private final Refusal refusal;
    private final int retryAfter;

    /** Creates a permanent refusal. */
    public RefusedException(Refusal refusal, String message) {
        this(refusal, 0, message);
    }

    /**
     * Creates a refusal of a request that may be repeated.
     *
     * @param retryAfter seconds until then, 0 for a permanent refusal
     */
    public RefusedException(Refusal refusal, int retryAfter, String message) {
        super(message, null, false, false); // no stack trace: hostile clients cause many of these
        this.refusal = refusal;
        this.retryAfter = retryAfter;
    }

    /** The reason. */
    public Refusal refusal() {
        return refusal;
    }

    /** Seconds until the request may be repeated, 0 for a permanent refusal. */
    public int retryAfter() {
        return retryAfter;
    }
}
