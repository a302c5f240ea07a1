package dev.levee.federated.gateway.http;

import dev.levee.federated.gateway.metrics.Refusal;

/** State of a connection, and the offense of a client that lets it wait too long. */
enum Phase {
    /** The handshake, and the first request. */
    ARRIVING(Refusal.SLOW_HEADER),
    /** The next request; it may never come. */
    IDLE(null),
    /** The rest of a request's header. */
    HEADER(Refusal.SLOW_HEADER),
    /** The rest of a request's body. */
    BODY(Refusal.SLOW_BODY),
    /** The gateway's answer, which is under way. */
    ANSWERING(Refusal.SLOW_READER),
    /** The rest of a body that is not needed: its request was refused. */
    DRAINING(Refusal.SLOW_BODY);

    private final Refusal late;

    Phase(Refusal late) {
        this.late = late;
    }

    /** Why a connection is closed that is late, null if for no fault. */
    Refusal late() {
        return late;
    }
}
