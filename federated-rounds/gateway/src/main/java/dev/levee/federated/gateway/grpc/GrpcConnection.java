package dev.levee.federated.gateway.grpc;

import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.service.Deadlines;
import dev.levee.federated.gateway.service.Service;
import dev.levee.federated.gateway.service.Tls;

import io.grpc.netty.shaded.io.netty.channel.ChannelDuplexHandler;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelPromise;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslHandler;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslHandshakeTimeoutException;

/**
 * A connection, handled between TLS and HTTP/2. It knows the client's certificate, and how long the
 * client may be silent. Each call has its own limits.
 */
final class GrpcConnection extends ChannelDuplexHandler implements Deadlines.Watched {
    private final Service service;
    private final String address;
    private volatile ChannelHandlerContext context;
    private volatile String certified;
    private int calls;
    private boolean silent = true;
    private long deadline;

    /** The refusal to count if the client is silent for too long; null if silence is allowed. */
    private Refusal late = Refusal.SLOW_HEADER;

    /** True if the connection ends for another reason than broken HTTP/2. */
    private boolean ends;

    GrpcConnection(Service service, String address) {
        this.service = service;
        this.address = address;
        this.deadline = service.in(service.limits().patience().multipliedBy(2));
    }

    String address() {
        return address;
    }

    /** The device that the client's certificate names, null if it has none. */
    String certified() {
        return certified;
    }

    /** Called when a call has begun. */
    synchronized void began() {
        calls++;
        silent = false;
    }

    /** Called when a call has ended. The connection may then be idle for some time. */
    synchronized void ended() {
        calls--;
        if (calls == 0) {
            silent = true;
            late = null;
            deadline = service.in(service.limits().idle());
        }
    }

    @Override
    public void checkDeadline() {
        Refusal why;
        synchronized (this) {
            if (!silent || !service.over(deadline)) {
                return;
            }
            silent = false;
            why = late;
        }
        if (why != null) {
            service.metrics().refuse(why);
        }
        close();
    }

    /** Closes the connection of a client that is too slow. */
    void cutOff(Refusal why) {
        service.metrics().refuse(why);
        close();
    }

    private void close() {
        ChannelHandlerContext known = context;
        if (known != null) {
            known.close();
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext source, Object event) throws Exception {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (handshake.isSuccess()) {
                certified =
                        Tls.device(source.pipeline().get(SslHandler.class).engine().getSession());
            } else {
                ends = true;
                service.metrics()
                        .refuse(
                                handshake.cause() instanceof SslHandshakeTimeoutException
                                        ? Refusal.SLOW_HEADER
                                        : Refusal.HANDSHAKE);
                source.close();
            }
        }
        super.userEventTriggered(source, event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext source, Throwable cause) throws Exception {
        ends = true; // the client reset its connection
        super.exceptionCaught(source, cause);
    }

    /**
     * Closes the connection. If it is not ending yet, gRPC closes it because the client sent no
     * HTTP/2, which is counted.
     */
    @Override
    public void close(ChannelHandlerContext source, ChannelPromise promise) throws Exception {
        if (!ends && source.channel().isActive()) {
            service.metrics().refuse(Refusal.NOT_HTTP);
        }
        ends = true;
        super.close(source, promise);
    }

    /** Called when the gateway itself closes. Acts on the event loop. */
    void over() {
        ChannelHandlerContext known = context;
        if (known != null) { // null while the connection is not registered
            known.executor().execute(() -> ends = true);
        }
    }
}
