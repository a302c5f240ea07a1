package dev.levee.federated.gateway.grpc;

import com.google.protobuf.InvalidProtocolBufferException;

import dev.levee.federated.gateway.metrics.GatewayMetrics;
import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.topic.RefusedException;

import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Locale;

/**
 * Converts refusals to gRPC statuses and counts them. The gateway's own refusals are counted before
 * they are sent, so a client that received one finds it counted. Those of gRPC itself are counted
 * when their stream is closed.
 */
final class Refusals extends ServerStreamTracer.Factory {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
    private static final Metadata.Key<String> REASON = key("levee-reason");
    private static final Metadata.Key<String> RETRY_AFTER = key("retry-after");

    private final GatewayMetrics metrics;

    Refusals(GatewayMetrics metrics) {
        this.metrics = metrics;
    }

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    /**
     * Counts a refusal and returns its status. The refusal is the status's cause, which clients do
     * not see.
     */
    static Status count(GatewayMetrics metrics, RefusedException why) {
        metrics.refuse(why.refusal());
        Status code =
                why.refusal() == Refusal.UNKNOWN_PATH
                        ? Status.UNIMPLEMENTED
                        : code(why.refusal().status());
        return code.withDescription(why.getMessage()).withCause(why);
    }

    /** The gRPC code that corresponds to an HTTP status. */
    private static Status code(int http) {
        return switch (http) {
            case 401 -> Status.UNAUTHENTICATED;
            case 403 -> Status.PERMISSION_DENIED;
            case 404 -> Status.NOT_FOUND;
            case 409 -> Status.FAILED_PRECONDITION;
            case 416 -> Status.OUT_OF_RANGE;
            case 429 -> Status.RESOURCE_EXHAUSTED;
            case 503 -> Status.UNAVAILABLE;
            default -> Status.INVALID_ARGUMENT;
        };
    }

    /** The trailers: the reason as one word, and when the call may be repeated. */
    static Metadata trailers(RefusedException why) {
        Metadata trailers = new Metadata();
        trailers.put(REASON, why.refusal().name().toLowerCase(Locale.ROOT));
        if (why.retryAfter() > 0) {
            trailers.put(RETRY_AFTER, String.valueOf(why.retryAfter()));
        }
        return trailers;
    }

    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        return new ServerStreamTracer() {
            @Override
            public void streamClosed(Status status) {
                closed(method, status);
            }
        };
    }

    private void closed(String method, Status status) {
        if (status.getCause() instanceof RefusedException) {
            return; // already counted
        }
        switch (status.getCode()) {
            case OK, CANCELLED -> {}
            case RESOURCE_EXHAUSTED -> metrics.refuse(Refusal.TOO_LARGE);
            default -> {
                metrics.refuse(Refusal.MALFORMED);
                if (status.getCode() == Status.Code.UNKNOWN && !unreadable(status.getCause())) {
                    LOG.warn("Call {} has failed", method, status.getCause());
                }
            }
        }
    }

    private static boolean unreadable(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidProtocolBufferException) {
                return true;
            }
        }
        return false;
    }
}
