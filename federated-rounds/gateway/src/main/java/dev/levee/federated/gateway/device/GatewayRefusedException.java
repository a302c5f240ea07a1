package dev.levee.federated.gateway.device;

/** A gateway refuses a request for good; the message is one sentence. */
public final class GatewayRefusedException extends IllegalStateException {
    private final int status;

    GatewayRefusedException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** The HTTP status, 0 if there was none: TLS has failed. */
    public int status() {
        return status;
    }

    /** True if only this contribution is refused: its round is over, or asked others. */
    boolean passing() {
        return status == 409 || status == 404;
    }
}
