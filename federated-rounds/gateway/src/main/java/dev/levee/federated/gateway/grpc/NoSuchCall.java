package dev.levee.federated.gateway.grpc;

import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.service.Service;
import dev.levee.federated.gateway.topic.RefusedException;

import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;

import java.io.InputStream;

/**
 * Refuses calls that {@code gateway.proto} does not define. They count against the address as much
 * as wrong credentials.
 */
final class NoSuchCall extends HandlerRegistry {
    private final Service service;

    NoSuchCall(Service service) {
        this.service = service;
    }

    @Override
    public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
        MethodDescriptor<InputStream, InputStream> method =
                MethodDescriptor.<InputStream, InputStream>newBuilder()
                        .setType(MethodDescriptor.MethodType.UNKNOWN)
                        .setFullMethodName(name)
                        .setRequestMarshaller(new Unread())
                        .setResponseMarshaller(new Unread())
                        .build();
        return ServerMethodDefinition.create(method, this::refuse);
    }

    private ServerCall.Listener<InputStream> refuse(
            ServerCall<InputStream, InputStream> call, Metadata headers) {
        RefusedException why =
                service.credentials()
                        .wrong(
                                CallOrigin.current().caller(),
                                Refusal.UNKNOWN_PATH,
                                "there is no such call");
        call.close(Refusals.count(service.metrics(), why), Refusals.trailers(why));
        return new ServerCall.Listener<>() {};
    }

    /** A marshaller that is never used, because no message is requested. */
    private static final class Unread implements MethodDescriptor.Marshaller<InputStream> {
        @Override
        public InputStream stream(InputStream value) {
            return value;
        }

        @Override
        public InputStream parse(InputStream stream) {
            return stream;
        }
    }
}
