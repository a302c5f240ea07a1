package dev.levee.federated.gateway.grpc;

import dev.levee.federated.gateway.service.Caller;

import io.grpc.Context;

/**
 * The client that makes a call, with its connection.
 *
 * @param link the connection, which is closed if the client is too slow
 */
record CallOrigin(Caller caller, GrpcConnection link) {
    private static final Context.Key<CallOrigin> KEY = Context.key("visitor");

    /** The visitor of the current call. */
    static CallOrigin current() {
        return KEY.get();
    }

    /** A context whose current visitor is this one. */
    Context context() {
        return Context.current().withValue(KEY, this);
    }
}
