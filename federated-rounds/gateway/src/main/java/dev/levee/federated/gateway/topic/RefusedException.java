package dev.levee.federated.gateway.topic;

import dev.levee.federated.gateway.metrics.Refusal;

/** A request is refused; the message is one sentence for the client. */
public final class RefusedException extends Exception {
    private final Refusal refusal;
    private final int retryAfter;

    /** A request that is refused permanently. */
    public RefusedException(Refusal refusal, String message) {
        this(refusal, 0, message);
    }

    /**
     * A request that may be made again.
     *
     * @param retryAfter seconds after which, 0 if it may not
     */
    public RefusedException(Refusal refusal, int retryAfter, String message) {
        super(message, null, false, false); // costs no stack trace: hostile clients make many
        this.refusal = refusal;
        this.retryAfter = retryAfter;
    }

    /** Why. */
    public Refusal refusal() {
        return refusal;
    }

    /** Seconds after which the request may be made again, 0 if it may not. */
    public int retryAfter() {
        return retryAfter;
    }
}
