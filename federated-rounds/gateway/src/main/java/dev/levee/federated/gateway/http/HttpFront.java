package dev.levee.federated.gateway.http;

import dev.levee.federated.gateway.account.AccountStore;
import dev.levee.federated.gateway.limit.Buckets;
import dev.levee.federated.gateway.limit.Limits;
import dev.levee.federated.gateway.limit.Reserve;
import dev.levee.federated.gateway.limit.Tally;
import dev.levee.federated.gateway.metrics.GatewayMetrics;
import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.topic.Contributions;
import dev.levee.federated.gateway.topic.Models;
import dev.levee.federated.gateway.topic.TopicWriter;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;

import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Listens for devices, and shuts the door when there are too many. */
public final class HttpFront implements AutoCloseable {
    private static final int LINE = 1024;
    private static final int HEADER = 8192;
    private static final int PIECE = 1 << 14;
    private static final int BACKLOG = 1024;
    private static final int LOW_WATER = 1 << 14;
    private static final int HIGH_WATER = 1 << 16;

    /** A client that reads nothing holds no more of the system's memory than this. */
    private static final int SEND_BUFFER = 1 << 17;

    private static final int QUEUED = 4096;
    private static final long CLOSE_SECONDS = 2;

    /**
     * The gateway's parts behind the front.
     *
     * @param run name of the run
     * @param nanos the clock, monotonic
     */
    public record Behind(
            String run,
            AccountStore accounts,
            Models models,
            Contributions checks,
            TopicWriter writer,
            LongSupplier nanos) {}

    private final EventLoopGroup loops;
    private final ThreadPoolExecutor workers;
    private final Deadlines deadlines = new Deadlines();
    private final Tally tally;
    private final Services services;
    private final Channel listening;

    /**
     * Listens.
     *
     * @throws IllegalArgumentException if certificates are wrong, or nobody can listen there; one
     *     sentence
     */
    public HttpFront(
            Behind behind,
            Tls tls,
            InetSocketAddress listen,
            Limits limits,
            GatewayMetrics metrics) {
        SslContext context = tls.context();
        int processors = Runtime.getRuntime().availableProcessors();
        this.tally = new Tally(limits.connections(), limits.connectionsPerAddress());
        this.workers =
                new ThreadPoolExecutor(
                        processors,
                        2 * processors,
                        1,
                        TimeUnit.MINUTES,
                        new ArrayBlockingQueue<>(QUEUED));
        double burst = Limits.BURST_SECONDS;
        Buckets addresses = new Buckets(limits.addressRequestsPerSecond(), burst, behind.nanos());
        Buckets devices = new Buckets(limits.requestsPerSecond(), burst, behind.nanos());
        Buckets bytes = new Buckets(limits.bytesPerSecond(), burst, behind.nanos());
        Reserve uploads = new Reserve(limits.uploadBytes());
        this.services =
                new Services(
                        api(behind, addresses, devices, bytes, limits, metrics),
                        limits,
                        uploads,
                        metrics,
                        workers,
                        behind.nanos());
        metrics.gauge("connections", tally::open);
        metrics.gauge("waiting_for_models", behind.models()::waiting);
        metrics.gauge("upload_bytes", uploads::used);
        this.loops = new MultiThreadIoEventLoopGroup(processors, NioIoHandler.newFactory());
        try {
            this.listening = listen(context, listen);
        } catch (Exception e) { // Netty throws what the socket throws, checked or not
            loops.shutdownGracefully();
            workers.shutdownNow();
            throw new IllegalArgumentException(
                    "--listen %s: %s".formatted(listen, e.getMessage()), e);
        }
        deadlines.start(
                () -> {
                    addresses.prune();
                    devices.prune();
                    bytes.prune();
                });
    }

    private static Api api(
            Behind behind,
            Buckets addresses,
            Buckets devices,
            Buckets bytes,
            Limits limits,
            GatewayMetrics metrics) {
        Credentials credentials = new Credentials(behind.accounts().accounts(), addresses, devices);
        return new Api(
                behind.run(),
                behind.models(),
                credentials,
                new EnrolRoute(behind.accounts(), credentials, metrics, Clock.systemUTC()),
                new ModelRoutes(behind.models(), bytes, limits),
                new UploadRoutes(
                        behind.models(), behind.checks(), behind.writer(), bytes, metrics));
    }

    private Channel listen(SslContext context, InetSocketAddress listen) {
        return new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_SNDBUF, SEND_BUFFER)
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(LOW_WATER, HIGH_WATER))
                .childHandler(
                        new ChannelInitializer<SocketChannel>() {
                            @Override
                            protected void initChannel(SocketChannel channel) {
                                accept(context, channel);
                            }
                        })
                .bind(listen)
                .syncUninterruptibly()
                .channel();
    }

    private void accept(SslContext context, SocketChannel channel) {
        String address = channel.remoteAddress().getAddress().getHostAddress();
        Tally.Verdict verdict = tally.open(address);
        if (verdict != Tally.Verdict.COUNTED) {
            services.metrics()
                    .refuse(
                            verdict == Tally.Verdict.TOO_MANY
                                    ? Refusal.TOO_MANY_CONNECTIONS
                                    : Refusal.TOO_MANY_OF_ADDRESS);
            channel.close();
            return;
        }
        SslHandler tls = context.newHandler(channel.alloc());
        tls.setHandshakeTimeoutMillis(services.limits().patience().toMillis());
        ClientChannel connection = new ClientChannel(services, address);
        channel.closeFuture()
                .addListener(
                        closed -> {
                            tally.close(address);
                            deadlines.remove(connection);
                        });
        channel.pipeline()
                .addLast(
                        tls,
                        new ChannelInboundHandlerAdapter() {
                            @Override
                            public void channelRead(ChannelHandlerContext source, Object message) {
                                connection.stirred();
                                source.fireChannelRead(message);
                            }
                        },
                        new HttpServerCodec(LINE, HEADER, PIECE),
                        connection);
        deadlines.add(connection);
    }

    /** The port that it listens on. */
    public int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    @Override
    public void close() {
        deadlines.close();
        listening.close();
        loops.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS).syncUninterruptibly();
        workers.shutdownNow();
    }
}
