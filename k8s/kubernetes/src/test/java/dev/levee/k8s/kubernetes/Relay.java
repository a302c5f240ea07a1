package dev.levee.k8s.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;

/** A way to a server that can be cut, with all that runs over it, and mended. */
final class Relay implements AutoCloseable {
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Set<Socket> mute = ConcurrentHashMap.newKeySet();
    private final AtomicReference<String> lose = new AtomicReference<>();
    private ServerSocket server;

    Relay(int target) throws IOException {
        this.target = target;
        while (server == null || !server.isBound()) {
            try {
                // A connection could get a port from 32,768 on while the relay is cut.
                listen(ThreadLocalRandom.current().nextInt(12_000, 32_768));
            } catch (BindException e) {
                // Somebody else's port.
            }
        }
    }

    private void listen(int port) throws IOException {
        server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        ServerSocket current = server;
        start(() -> accept(current));
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept(ServerSocket from) throws IOException {
        while (true) {
            Socket client = from.accept();
            open.add(client);
            if (from.isClosed()) { // the operating system may accept one more
                client.close();
                return;
            }
            Socket service = new Socket(InetAddress.getLoopbackAddress(), target);
            open.add(service);
            start(() -> copy(client, service));
            start(() -> copy(service, client));
        }
    }

    private void copy(Socket from, Socket to) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[8192];
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                if (mute.contains(from)) {
                    return;
                }
                String method = lose.get();
                if (method != null
                        && new String(bytes, 0, read, StandardCharsets.US_ASCII)
                                .startsWith(method + " ")) {
                    lose.set(null);
                    mute.add(to);
                }
                out.write(bytes, 0, read);
                out.flush();
            }
        } finally {
            open.remove(from);
            open.remove(to);
            mute.remove(from);
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                work.run();
                            } catch (SocketException e) {
                                // Cut, or closed by one of the two.
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        },
                        "relay");
        thread.setDaemon(true);
        thread.start();
    }

    /** Cuts it, and mends it afterwards. */
    void cut(Runnable meanwhile) throws IOException {
        int port = port();
        close();
        meanwhile.run();
        listen(port);
    }

    /** Passes the next request of this method on, and cuts its connection before the answer. */
    void loseAnswerTo(String method) {
        lose.set(method);
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
