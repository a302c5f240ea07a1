package dev.levee.federated.gateway.grpc;

import dev.levee.federated.gateway.service.Service;
import dev.levee.federated.gateway.service.Tls;

import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslHandler;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Listens for devices that use gRPC. Connections are counted and TLS is terminated before gRPC, so
 * a client has the same limits as over HTTPS.
 */
public final class GrpcFront implements AutoCloseable {
    /**
     * The largest message in bytes: a piece of a block or of what a device says in a secure sum, or
     * scores. gRPC holds a message before the gateway knows who has sent it.
     */
    static final int MESSAGE = 1 << 16;

    private static final int HEADER = 8192;

    /** Bytes that a client may send ahead, in each connection and in each call. */
    private static final int WINDOW = 1 << 16;

    /**
     * Maximum number of concurrent calls of a connection. A device waits for a model and sends
     * contributions at the same time.
     */
    private static final int CALLS = 8;

    private static final int RESETS = 200;
    private static final int RESETS_SECONDS = 30;
    private static final int BACKLOG = 1024;

    /** Maximum size in bytes of the system's send buffer, for a client that does not read. */
    private static final int SEND_BUFFER = 1 << 17;

    private static final long CLOSE_SECONDS = 2;

    /**
     * The logger of gRPC, turned off: it logs each unreadable message at length, and the gateway
     * counts them.
     */
    private static final Logger TALKATIVE = Logger.getLogger("io.grpc");

    static {
        TALKATIVE.setLevel(Level.OFF);
    }

    private final Service service;
    private final SslContext tls;
    private final Map<SocketAddress, GrpcConnection> links = new ConcurrentHashMap<>();
    private final EventLoopGroup accepting = loops(1);
    private final EventLoopGroup loops = loops(Runtime.getRuntime().availableProcessors());
    private final Server server;

    /**
     * Starts to listen.
     *
     * @throws IllegalArgumentException if certificates are wrong, or the address cannot be used;
     *     one sentence
     */
    public GrpcFront(Service service, Tls certificates, InetSocketAddress listen) {
        this.service = service;
        this.tls = context(certificates);
        // The handlers that accept() adds terminate TLS.
        this.server =
                NettyServerBuilder.forAddress(listen, InsecureServerCredentials.create())
                        .directExecutor()
                        .bossEventLoopGroup(accepting)
                        .workerEventLoopGroup(loops)
                        .channelFactory(this::listening)
                        .withOption(ChannelOption.SO_BACKLOG, BACKLOG)
                        .withChildOption(ChannelOption.TCP_NODELAY, true)
                        .withChildOption(ChannelOption.SO_SNDBUF, SEND_BUFFER)
                        .maxInboundMessageSize(MESSAGE)
                        .maxInboundMetadataSize(HEADER)
                        .flowControlWindow(WINDOW)
                        .maxConcurrentCallsPerConnection(CALLS)
                        .maxRstFramesPerWindow(RESETS, RESETS_SECONDS)
                        .addStreamTracerFactory(new Refusals(service.metrics()))
                        .intercept(new CallerInterceptor(service, links))
                        .addService(new GatewayCalls(service))
                        .fallbackHandlerRegistry(new NoSuchCall(service))
                        .build();
        try {
            server.start();
        } catch (IOException e) {
            end();
            throw new IllegalArgumentException(
                    "--grpc-listen %s: %s".formatted(listen, e.getMessage()), e);
        }
    }

    private static EventLoopGroup loops(int threads) {
        return new MultiThreadIoEventLoopGroup(threads, NioIoHandler.newFactory());
    }

    private static SslContext context(Tls files) {
        files.check();
        try {
            SslContextBuilder builder =
                    GrpcSslContexts.configure(
                                    SslContextBuilder.forServer(
                                            files.certificate().toFile(), files.key().toFile()),
                                    SslProvider.JDK)
                            .protocols(Tls.VERSION);
            if (files.clients() != null) {
                builder.trustManager(files.clients().toFile())
                        .clientAuth(files.required() ? ClientAuth.REQUIRE : ClientAuth.OPTIONAL);
            }
            return builder.build();
        } catch (IOException | IllegalArgumentException e) {
            throw files.wrong(e);
        }
    }

    private ServerChannel listening() {
        NioServerSocketChannel channel = new NioServerSocketChannel();
        channel.pipeline()
                .addLast(
                        new ChannelInboundHandlerAdapter() {
                            @Override
                            public void channelRead(ChannelHandlerContext source, Object message) {
                                Channel client = (Channel) message;
                                if (accept(client)) {
                                    source.fireChannelRead(client);
                                } else {
                                    client.unsafe().closeForcibly();
                                }
                            }
                        });
        return channel;
    }

    private boolean accept(Channel client) {
        InetSocketAddress remote = (InetSocketAddress) client.remoteAddress();
        if (remote == null) {
            return false; // already closed
        }
        String address = remote.getAddress().getHostAddress();
        if (!service.connected(address)) {
            return false;
        }
        SslHandler encrypted = tls.newHandler(client.alloc());
        encrypted.setHandshakeTimeoutMillis(service.limits().patience().toMillis());
        GrpcConnection link = new GrpcConnection(service, address);
        links.put(remote, link);
        client.closeFuture()
                .addListener(
                        closed -> {
                            links.remove(remote, link);
                            service.deadlines().remove(link);
                            service.disconnected(address);
                        });
        client.pipeline().addLast(encrypted, link);
        service.deadlines().add(link);
        return true;
    }

    /** The port that this server listens on. */
    public int port() {
        return server.getPort();
    }

    @Override
    public void close() {
        links.values().forEach(GrpcConnection::over);
        server.shutdownNow();
        end();
    }

    private void end() {
        accepting.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS).syncUninterruptibly();
        loops.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
