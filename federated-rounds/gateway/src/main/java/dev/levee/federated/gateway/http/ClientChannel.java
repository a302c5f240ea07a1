package dev.levee.federated.gateway.http;

import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.service.Deadlines;
import dev.levee.federated.gateway.service.Service;
import dev.levee.federated.gateway.service.Tls;
import dev.levee.federated.gateway.service.Uploads;
import dev.levee.federated.gateway.topic.RefusedException;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.util.ReferenceCountUtil;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;

/**
 * The state of one client, which sends one request at a time, with a deadline for the current
 * phase. All methods except {@link #checkDeadline} are called on the channel's event loop.
 */
final class ClientChannel extends ChannelInboundHandlerAdapter implements Deadlines.Watched {
    /**
     * Maximum number of bytes of a refused body that are read. If the body is longer, the
     * connection is closed.
     */
    private static final long MOST_DRAINED = 1 << 20;

    private final Service service;
    private final Api api;
    private final String address;
    private ChannelHandlerContext context;
    private String certified;
    private Exchange exchange;
    private AdmittedRequest admitted;
    private byte[] body;
    private int filled;

    /** True if bytes of a body are still missing. */
    private boolean more;

    private volatile ConnectionState phase = ConnectionState.ARRIVING;
    private volatile long deadline;

    ClientChannel(Service service, Api api, String address) {
        this.service = service;
        this.api = api;
        this.address = address;
        enter(ConnectionState.ARRIVING, service.limits().patience().multipliedBy(2));
    }

    Service service() {
        return service;
    }

    ChannelHandlerContext context() {
        return context;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    /** Enters another phase, which may take this long. */
    void enter(ConnectionState next, Duration time) {
        deadline = service.in(time);
        phase = next;
    }

    @Override
    public void checkDeadline() {
        if (service.over(deadline)) {
            context.executor().execute(this::late);
        }
    }

    private void late() {
        if (service.over(deadline) && context.channel().isOpen()) {
            if (phase.late() != null) {
                service.metrics().refuse(phase.late());
            }
            context.close();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext source, Object event) throws Exception {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (handshake.isSuccess()) {
                SslHandler tls = source.pipeline().get(SslHandler.class);
                certified = Tls.device(tls.engine().getSession());
            } else {
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

    /** Called on the first bytes after silence: the header of a request must follow soon. */
    void stirred() {
        if (phase == ConnectionState.IDLE) {
            enter(ConnectionState.HEADER, service.limits().patience());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext source, Object message) {
        try {
            if (message instanceof HttpRequest request) {
                begin(request);
                if (request.decoderResult().isFailure()) {
                    return; // the following bytes are no HTTP either
                }
            }
            if (message instanceof HttpContent content) {
                take(content);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void begin(HttpRequest message) {
        if (phase == ConnectionState.ANSWERING || phase == ConnectionState.DRAINING) {
            close(Refusal.PIPELINED);
            return;
        }
        exchange = new Exchange(this, HttpUtil.isKeepAlive(message));
        admitted = null;
        body = null;
        filled = 0;
        more = true;
        try {
            if (message.decoderResult().isFailure()) {
                exchange.closeAfter();
                Throwable cause = message.decoderResult().cause();
                boolean tooLong =
                        cause instanceof TooLongHttpHeaderException
                                || cause instanceof TooLongHttpLineException;
                throw new RefusedException(
                        tooLong ? Refusal.LONG_HEADER : Refusal.NOT_HTTP,
                        "the header cannot be read");
            }
            Request request = Request.of(message, address, certified);
            long length = length(message);
            AdmittedRequest may = api.admit(request);
            receive(may, length);
            if (HttpUtil.is100ContinueExpected(message)) {
                context.writeAndFlush(
                        new DefaultFullHttpResponse(
                                HttpVersion.HTTP_1_1,
                                HttpResponseStatus.CONTINUE,
                                Unpooled.EMPTY_BUFFER));
            }
        } catch (RefusedException e) {
            refuse(e);
        }
    }

    private long length(HttpRequest message) throws RefusedException {
        if (HttpUtil.isTransferEncodingChunked(message)) {
            exchange.closeAfter();
            throw new RefusedException(Refusal.NO_LENGTH, "give a Content-Length");
        }
        long length;
        try {
            length = HttpUtil.getContentLength(message, 0L);
        } catch (NumberFormatException e) {
            length = -1;
        }
        if (length < 0 || length > MOST_DRAINED) {
            exchange.closeAfter();
        }
        if (length < 0) {
            throw new RefusedException(Refusal.WRONG_PARAMETER, "Content-Length is not a number");
        }
        return length;
    }

    private void receive(AdmittedRequest may, long length) throws RefusedException {
        service.uploads().reserve(length, may.most());
        admitted = may;
        body = new byte[(int) length];
        enter(ConnectionState.BODY, service.limits().forBytes(length));
    }

    /** Answers with a refusal, even if bytes of the body are still missing. */
    private void refuse(RefusedException why) {
        admitted = null;
        enter(ConnectionState.ANSWERING, service.limits().patience());
        exchange.refuse(why);
    }

    private void take(HttpContent content) {
        if (content.decoderResult().isFailure()) {
            close(Refusal.NOT_HTTP);
            return;
        }
        if (admitted != null) {
            ByteBuf bytes = content.content();
            int length = Math.min(bytes.readableBytes(), body.length - filled);
            bytes.readBytes(body, filled, length);
            filled += length;
        }
        if (!(content instanceof LastHttpContent)) {
            return;
        }
        more = false;
        if (admitted != null) {
            complete();
        } else if (phase == ConnectionState.DRAINING) {
            enter(ConnectionState.IDLE, service.limits().idle());
        }
    }

    private void complete() {
        byte[] whole = body;
        AdmittedRequest may = admitted;
        Exchange own = exchange;
        admitted = null;
        service.metrics().received.add(whole.length);
        enter(ConnectionState.ANSWERING, service.limits().patience().multipliedBy(4));
        own.holds(whole.length);
        if (!may.blocks()) {
            answer(may, whole, own);
            return;
        }
        try {
            service.workers().execute(() -> answer(may, whole, own));
        } catch (RejectedExecutionException e) {
            own.refuse(Uploads.full());
        }
        body = null;
    }

    private static void answer(AdmittedRequest may, byte[] whole, Exchange own) {
        try {
            may.answer().to(whole, own);
        } catch (RefusedException e) {
            own.refuse(e);
        }
    }

    /** Called when a response was written. */
    void answered(boolean keepAlive) {
        exchange = null;
        if (!keepAlive) {
            context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        } else if (more) {
            enter(ConnectionState.DRAINING, service.limits().forBytes(MOST_DRAINED));
        } else {
            enter(ConnectionState.IDLE, service.limits().idle());
        }
    }

    /** Releases the memory of a body that is no longer needed. */
    void free(long bytes) {
        service.uploads().free(bytes);
    }

    private void close(Refusal refusal) {
        service.metrics().refuse(refusal);
        context.close();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext source) {
        if (exchange != null && source.channel().isWritable()) {
            exchange.pump();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext source) {
        if (admitted != null) {
            service.uploads().free(body.length);
            if (filled < body.length) {
                service.metrics().refuse(Refusal.TRUNCATED);
            }
            admitted = null;
        }
        if (exchange != null) {
            exchange.left();
            exchange = null;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext source, Throwable cause) {
        source.close(); // the client reset its connection, or does not use TLS
    }
}
