package dev.levee.federated.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.levee.federated.gateway.topic.PublishedVersion;
import dev.levee.federated.gateway.topic.RefusedException;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * A request and its answer. A model is sent in small pieces, each after the previous one has left.
 * So a slow client occupies a few kilobytes, however large the model is.
 */
final class Exchange implements Reply {
    private static final int PIECE = 1 << 14;
    private static final Duration AFTER_PARKING = Duration.ofSeconds(5);

    private final ClientChannel connection;
    private final Channel channel;
    private boolean keepAlive;
    private boolean answered;
    private long held;
    private Future<?> late;
    private Runnable cancel;
    private PublishedVersion model;
    private long at;
    private long end;
    private LongConsumer interrupted;

    Exchange(ClientChannel connection, boolean keepAlive) {
        this.connection = connection;
        this.channel = connection.context().channel();
        this.keepAlive = keepAlive;
    }

    /** Closes the connection after the answer. */
    void closeAfter() {
        keepAlive = false;
    }

    /** Holds the memory of a body until the request is answered, even if the client has left. */
    void holds(long bytes) {
        held = bytes;
    }

    @Override
    public void json(int status, JsonNode body) {
        onLoop(() -> full(status, body, 0));
    }

    @Override
    public void empty(int status) {
        onLoop(() -> full(status, null, 0));
    }

    @Override
    public void refuse(RefusedException why) {
        onLoop(
                () -> {
                    connection.service().metrics().refuse(why.refusal());
                    JsonNode body =
                            JsonNodeFactory.instance
                                    .objectNode()
                                    .put("reason", why.refusal().name().toLowerCase(Locale.ROOT))
                                    .put("message", why.getMessage());
                    full(why.refusal().status(), body, why.retryAfter());
                });
    }

    private void full(int status, JsonNode body, int retryAfter) {
        ByteBuf content =
                body == null
                        ? Unpooled.EMPTY_BUFFER
                        : Unpooled.wrappedBuffer(body.toString().getBytes(StandardCharsets.UTF_8));
        DefaultFullHttpResponse response =
                new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), content);
        HttpHeaders headers = response.headers();
        if (status != 204) {
            headers.set(HttpHeaderNames.CONTENT_LENGTH, content.readableBytes());
        }
        if (body != null) {
            headers.set(HttpHeaderNames.CONTENT_TYPE, "application/json");
            headers.set(HttpHeaderNames.CACHE_CONTROL, "no-store");
        }
        if (retryAfter > 0) {
            headers.set(HttpHeaderNames.RETRY_AFTER, retryAfter);
        }
        if (status < 400) {
            connection.service().metrics().requests.increment();
        }
        write(response);
        done();
    }

    @Override
    public void notModified(PublishedVersion version) {
        onLoop(
                () -> {
                    DefaultFullHttpResponse response =
                            new DefaultFullHttpResponse(
                                    HttpVersion.HTTP_1_1,
                                    HttpResponseStatus.NOT_MODIFIED,
                                    Unpooled.EMPTY_BUFFER);
                    cacheable(response.headers(), version);
                    connection.service().metrics().requests.increment();
                    write(response);
                    done();
                });
    }

    private static void cacheable(HttpHeaders headers, PublishedVersion version) {
        headers.set(HttpHeaderNames.ETAG, version.etag());
        headers.set(HttpHeaderNames.CACHE_CONTROL, "private, max-age=86400, immutable");
        headers.set(HttpHeaderNames.ACCEPT_RANGES, "bytes");
    }

    @Override
    public void model(
            PublishedVersion version, ByteRange range, boolean head, LongConsumer unsent) {
        onLoop(
                () -> {
                    HttpResponse response =
                            new DefaultHttpResponse(
                                    HttpVersion.HTTP_1_1,
                                    range.part()
                                            ? HttpResponseStatus.PARTIAL_CONTENT
                                            : HttpResponseStatus.OK);
                    HttpHeaders headers = response.headers();
                    headers.set(HttpHeaderNames.CONTENT_LENGTH, range.length());
                    headers.set(HttpHeaderNames.CONTENT_TYPE, "application/octet-stream");
                    cacheable(headers, version);
                    if (range.part()) {
                        headers.set(
                                HttpHeaderNames.CONTENT_RANGE,
                                "bytes %d-%d/%d"
                                        .formatted(range.from(), range.to(), version.bytes()));
                    }
                    connection.service().metrics().requests.increment();
                    connection.enter(
                            ConnectionState.ANSWERING,
                            connection.service().limits().forBytes(range.length()));
                    write(response);
                    model = version;
                    interrupted = unsent;
                    at = range.from();
                    end = head ? at : range.to() + 1;
                    pump();
                });
    }

    /** Sends as much of the model as the client accepts. */
    void pump() {
        while (model != null && channel.isWritable()) {
            if (at == end) {
                model = null;
                channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
                done();
                return;
            }
            ByteBuf piece =
                    Unpooled.wrappedBuffer(model.slice(at, (int) Math.min(PIECE, end - at)));
            at += piece.readableBytes();
            connection.service().metrics().sent.add(piece.readableBytes());
            channel.writeAndFlush(new DefaultHttpContent(piece));
        }
    }

    @Override
    public void park(Duration time, Runnable whenLate, Runnable whenGone) {
        // Runs on the event loop, where requests without a body are answered.
        connection.enter(ConnectionState.ANSWERING, time.plus(AFTER_PARKING));
        cancel = whenGone;
        late =
                channel.eventLoop()
                        .schedule(
                                () -> {
                                    whenGone.run();
                                    whenLate.run();
                                },
                                time.toNanos(),
                                TimeUnit.NANOSECONDS);
    }

    private void write(HttpResponse response) {
        HttpUtil.setKeepAlive(response, keepAlive);
        channel.writeAndFlush(response);
    }

    private void onLoop(Runnable answer) {
        channel.eventLoop()
                .execute(
                        () -> {
                            connection.free(held);
                            held = 0;
                            if (!answered) {
                                answered = true;
                                stopWaiting();
                                answer.run();
                            }
                        });
    }

    private void done() {
        connection.answered(keepAlive);
    }

    /** Called when the client has left. */
    void left() {
        if (model != null) {
            model = null;
            interrupted.accept(end - at);
        }
        if (!answered) {
            answered = true;
            if (cancel != null) {
                cancel.run();
            }
            stopWaiting();
        }
    }

    private void stopWaiting() {
        if (late != null) {
            late.cancel(false);
        }
    }
}
