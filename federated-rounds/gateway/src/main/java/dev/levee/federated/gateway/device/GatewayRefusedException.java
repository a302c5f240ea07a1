package dev.levee.federated.gateway.device;

/** Signals that a gateway permanently refuses a request; the message is one sentence. */
public final class GatewayRefusedException extends IllegalStateException {
    private final boolean passing;

    GatewayRefusedException(boolean passing, String message) {
        super(message);
        this.passing = passing;
    }

    /**
     * True if only this contribution is refused, because its round is over or did not ask the
     * device.
     */
    boolean passing() {
        return passing;
    }
}
