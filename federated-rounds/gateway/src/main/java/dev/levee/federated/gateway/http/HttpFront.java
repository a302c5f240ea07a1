package dev.levee.federated.gateway.http;

import dev.levee.federated.gateway.service.Service;
import dev.levee.federated.gateway.service.Tls;

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
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Listens for devices that use HTTPS, and rejects connections above the limits. */
public final class HttpFront implements AutoCloseable {
    private static final int LINE = 1024;
    private static final int HEADER = 8192;
    private static final int PIECE = 1 << 14;
    private static final int BACKLOG = 1024;
    private static final int LOW_WATER = 1 << 14;
    private static final int HIGH_WATER = 1 << 16;

    /** Maximum size in bytes of the system's send buffer, for a client that does not read. */
    private static final int SEND_BUFFER = 1 << 17;

    private static final long CLOSE_SECONDS = 2;

    private final Service service;
    private final Api api;
    private final EventLoopGroup loops;
    private final Channel listening;

    /**
     * Starts to listen.
     *
     * @throws IllegalArgumentException if certificates are wrong, or the address cannot be used;
     *     one sentence
     */
    public HttpFront(Service service, Tls tls, InetSocketAddress listen) {
        SslContext context = context(tls);
        this.service = service;
        this.api = new Api(service);
        this.loops =
                new MultiThreadIoEventLoopGroup(
                        Runtime.getRuntime().availableProcessors(), NioIoHandler.newFactory());
        try {
            this.listening = listen(context, listen);
        } catch (Exception e) { // Netty passes on the socket's exceptions, even checked ones
            loops.shutdownGracefully();
            throw new IllegalArgumentException(
                    "--listen %s: %s".formatted(listen, e.getMessage()), e);
        }
    }

    private static SslContext context(Tls files) {
        files.check();
        try {
            SslContextBuilder builder =
                    SslContextBuilder.forServer(files.certificate().toFile(), files.key().toFile())
                            .sslProvider(SslProvider.JDK)
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
        if (!service.connected(address)) {
            channel.close();
            return;
        }
        SslHandler tls = context.newHandler(channel.alloc());
        tls.setHandshakeTimeoutMillis(service.limits().patience().toMillis());
        ClientChannel connection = new ClientChannel(service, api, address);
        channel.closeFuture()
                .addListener(
                        closed -> {
                            service.disconnected(address);
                            service.deadlines().remove(connection);
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
        service.deadlines().add(connection);
    }

    /** The port that this server listens on. */
    public int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    @Override
    public void close() {
        listening.close();
        loops.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
