package dev.levee.featureextraction.link;

import dev.levee.featureextraction.extract.FeatureBatch;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.BitSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The compute tier's end of the link, bound to one address. An answer that comes twice counts once;
 * a damaged one is refused, and its sender tries again.
 */
public final class FeatureReceiver implements AutoCloseable {
    static final byte TAKEN = 1;
    private static final byte REFUSED = 0;

    private static final int LONGEST_FRAME = 1 << 30;

    private final ServerSocket server;
    private final int requests;
    private final Consumer<FeatureBatch> taker;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final BitSet seen = new BitSet();
    private long bytes;
    private int repeated;
    private int damaged;

    /**
     * Listens on a free port.
     *
     * @param requests how many answers are expected, of the indexes from 0
     * @param taker gets each answer once, one at a time; one that it throws at is not taken, and
     *     its sender tries again
     */
    public FeatureReceiver(InetAddress address, int requests, Consumer<FeatureBatch> taker)
            throws IOException {
        this.server = new ServerSocket(0, 16, address);
        this.requests = requests;
        this.taker = taker;
        daemon(this::accept, "feature receiver");
    }

    private static void daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                connections.add(socket);
                daemon(() -> serve(socket), "feature connection");
            } catch (IOException e) {
                // Closed, or a connection that broke before it was there.
                continue;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket;
                DataInputStream in = new DataInputStream(socket.getInputStream())) {
            OutputStream out = socket.getOutputStream();
            while (true) {
                int length = in.readInt();
                if (length < 0 || length > LONGEST_FRAME) {
                    throw new IOException("a frame claims " + length + " bytes");
                }
                byte[] frame = in.readNBytes(length);
                if (frame.length < length) {
                    throw new EOFException();
                }
                out.write(take(frame) ? TAKEN : REFUSED);
                out.flush();
            }
        } catch (IOException | RuntimeException e) {
            // The sender has ended, or will connect again.
            connections.remove(socket);
        }
    }

    private synchronized boolean take(byte[] frame) {
        FeatureBatch batch;
        try {
            batch = FeatureFrame.decode(frame);
        } catch (IOException e) {
            damaged++;
            return false;
        }
        bytes += frame.length;
        if (batch.index() < 0 || batch.index() >= requests) {
            damaged++;
            return false;
        }
        if (seen.get(batch.index())) {
            repeated++;
            return true;
        }
        taker.accept(batch);
        seen.set(batch.index());
        return true;
    }

    /** True if all answers are there. */
    public synchronized boolean complete() {
        return seen.cardinality() == requests;
    }

    /** Bytes of all frames that came whole, those that came twice too. */
    public synchronized long bytes() {
        return bytes;
    }

    /** Answers that came again. */
    public synchronized int repeated() {
        return repeated;
    }

    /** Frames that were refused. */
    public synchronized int damaged() {
        return damaged;
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : connections) {
            socket.close();
        }
    }
}
