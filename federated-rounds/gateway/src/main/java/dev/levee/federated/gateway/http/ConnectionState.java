package dev.levee.federated.gateway.http;

import dev.levee.federated.gateway.metrics.Refusal;

/** The phase of a connection, with the refusal that counts if the client is too slow. */
enum ConnectionState {
    /** Waits for the handshake and the first request. */
    ARRIVING(Refusal.SLOW_HEADER),
    /** Waits for the next request, which may never come. */
    IDLE(null),
    /** Waits for the rest of a request's header. */
    HEADER(Refusal.SLOW_HEADER),
    /** Waits for the rest of a request's body. */
    BODY(Refusal.SLOW_BODY),
    /** Sends the gateway's answer. */
    ANSWERING(Refusal.SLOW_READER),
    /** Waits for the rest of a body whose request was refused. */
    DRAINING(Refusal.SLOW_BODY);

    private final Refusal late;

    ConnectionState(Refusal late) {
        this.late = late;
    }

    /** The refusal to count when the phase takes too long, null if the client may do so. */
    Refusal late() {
        return late;
    }
}
