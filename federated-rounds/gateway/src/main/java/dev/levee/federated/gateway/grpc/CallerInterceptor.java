package dev.levee.federated.gateway.grpc;

import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.service.Caller;
import dev.levee.federated.gateway.service.Service;
import dev.levee.federated.gateway.topic.RefusedException;

import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

import java.net.SocketAddress;
import java.util.Map;

/**
 * Identifies the caller of each call, and counts the call. If the call has one message, limits the
 * time until it has arrived; calls with several limit each themselves.
 */
final class CallerInterceptor implements ServerInterceptor {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final Service service;
    private final Map<SocketAddress, GrpcConnection> links;

    /**
     * Creates the interceptor.
     *
     * @param links open connections, by the client's address
     */
    CallerInterceptor(Service service, Map<SocketAddress, GrpcConnection> links) {
        this.service = service;
        this.links = links;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        GrpcConnection link = links.get(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
        if (link == null) {
            call.close(Status.CANCELLED, new Metadata()); // closed in the meantime
            return new ServerCall.Listener<>() {};
        }
        Caller caller = Caller.of(link.address(), link.certified(), headers.get(AUTHORIZATION));
        link.began();
        CallDeadline message = CallDeadline.of(service);
        if (call.getMethodDescriptor().getType().clientSendsOneMessage()) {
            message.set(
                    service.limits().forBytes(GrpcFront.MESSAGE),
                    () -> link.cutOff(Refusal.SLOW_BODY));
        }
        ServerCall.Listener<Q> listener;
        try {
            service.credentials().knock(caller);
            listener =
                    Contexts.interceptCall(
                            new CallOrigin(caller, link).context(), call, headers, next);
        } catch (RefusedException e) {
            call.close(Refusals.count(service.metrics(), e), Refusals.trailers(e));
            listener = new ServerCall.Listener<>() {};
        }
        return new SimpleForwardingServerCallListener<>(listener) {
            @Override
            public void onHalfClose() {
                message.end();
                super.onHalfClose();
            }

            @Override
            public void onComplete() {
                message.end();
                link.ended();
                super.onComplete();
            }

            @Override
            public void onCancel() {
                message.end();
                link.ended();
                super.onCancel();
            }
        };
    }
}
