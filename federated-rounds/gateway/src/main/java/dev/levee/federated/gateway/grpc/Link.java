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
 * One connection, between TLS and HTTP/2: who is at its other end, and how long it may be silent.
 * Each call has limits of its own.
 */
final class Link extends ChannelDuplexHandler implements Deadlines.Watched {
    private final Service service;
    private final String address;
    private volatile ChannelHandlerContext context;
    private volatile String certified;
    private int calls;
    private boolean silent = true;
    private long deadline;

    /** The fault of a client that is silent too long; null if it may be silent. */
    private Refusal late = Refusal.SLOW_HEADER;

    /** The end is no fault of the client's HTTP/2. */
    private boolean ends;

    Link(Service service, String address) {
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

    /** A call has begun. */
    synchronized void began() {
        calls++;
        silent = false;
    }

    /** A call has ended; nobody minds if no other comes for a while. */
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

    /** Ends the connection of a client that is too slow. */
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
        ends = true; // a client that resets its connection
        super.exceptionCaught(source, cause);
    }

    /** gRPC closes a connection of its own accord only if what comes is no HTTP/2. */
    @Override
    public void close(ChannelHandlerContext source, ChannelPromise promise) throws Exception {
        if (!ends && source.channel().isActive()) {
            service.metrics().refuse(Refusal.NOT_HTTP);
        }
        ends = true;
        super.close(source, promise);
    }

    /** The gateway itself ends; on the event loop. */
    void over() {
        ChannelHandlerContext known = context;
        if (known != null) { // null while the connection is not registered
            known.executor().execute(() -> ends = true);
        }
    }
}
