package dev.levee.federated.gateway.device;

/** A gateway refuses a request permanently; the message is one sentence. */
public final class GatewayRefusedException extends IllegalStateException {
    private final boolean passing;

    GatewayRefusedException(boolean passing, String message) {
        super(message);
        this.passing = passing;
    }

    /** True if only this contribution is refused: its round is over, or asked others. */
    boolean passing() {
        return passing;
    }
}
