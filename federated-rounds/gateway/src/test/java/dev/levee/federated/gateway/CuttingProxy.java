package dev.levee.federated.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** A link that breaks: each of its first connections ends after some bytes from the gateway. */
final class CuttingProxy implements AutoCloseable {
    private final ServerSocket listening;
    private final int port;
    private final int bytes;
    private final AtomicInteger cuts;

    /**
     * Listens.
     *
     * @param port the gateway's
     * @param bytes after which a connection is cut
     * @param cuts how many are
     */
    CuttingProxy(int port, int bytes, int cuts) throws IOException {
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.port = port;
        this.bytes = bytes;
        this.cuts = new AtomicInteger(cuts);
        start(this::accept);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Connections that are still to be cut. */
    int left() {
        return cuts.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket gateway = new Socket(InetAddress.getLoopbackAddress(), port);
                start(() -> copy(client, gateway, Integer.MAX_VALUE));
                start(() -> copy(gateway, client, bytes));
            }
        } catch (IOException e) {
            return; // closed
        }
    }

    private void copy(Socket from, Socket to, int most) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] piece = new byte[1 << 14];
            int passed = 0;
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                out.write(piece, 0, length);
                passed += length;
                if (passed > most && cuts.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    return;
                }
            }
        } catch (IOException e) {
            return; // the other direction has ended
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
