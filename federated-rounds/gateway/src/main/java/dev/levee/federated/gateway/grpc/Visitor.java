package dev.levee.federated.gateway.grpc;

import dev.levee.federated.gateway.service.Caller;

import io.grpc.Context;

/**
 * The caller of a call, and its connection.
 *
 * @param link closed if the client is too slow
 */
record Visitor(Caller caller, Link link) {
    private static final Context.Key<Visitor> KEY = Context.key("visitor");

    /** The one whose call is being answered. */
    static Visitor current() {
        return KEY.get();
    }

    /** A context in which it is the current one. */
    Context context() {
        return Context.current().withValue(KEY, this);
    }
}
