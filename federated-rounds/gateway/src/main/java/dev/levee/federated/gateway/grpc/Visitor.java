package dev.levee.federated.gateway.grpc;

import dev.levee.federated.gateway.service.Caller;

import io.grpc.Context;

/**
 * The client that makes a call, with its connection.
 *
 * @param link the connection, which is closed if the client is too slow
 */
record Visitor(Caller caller, Link link) {
    private static final Context.Key<Visitor> KEY = Context.key("visitor");

    /** The visitor of the current call. */
    static Visitor current() {
        return KEY.get();
    }

    /** A context whose current visitor is this one. */
    Context context() {
        return Context.current().withValue(KEY, this);
    }
}
