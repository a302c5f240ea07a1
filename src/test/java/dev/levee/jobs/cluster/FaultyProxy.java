package dev.levee.jobs.cluster;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands in front of an S3 server and spoils some of the answers to requests for an object: each
 * request is a connection, so that it sees every one.
 */
final class FaultyProxy implements AutoCloseable {
    /** What is done to an answer. */
    enum Fault {
        NONE(""),
        SLOW_DOWN("503 Slow Down"),
        BROKEN("500 Internal Server Error"),
        DENIED("403 Forbidden"),
        GONE("404 Not Found"),
        CHANGED("412 Precondition Failed"),
        TRUNCATED(""),
        SLOW("");

        private final String status;

        Fault(String status) {
            this.status = status;
        }
    }

    private static final int CUT_OFF = 100;
    private static final int DRIBBLE = 512;
    private static final long DRIBBLE_NANOS = 2_000_000;

    private final ServerSocket server;
    private final InetSocketAddress target;
    private final String object;
    private final Fault fault;
    private final AtomicInteger left;
    private final AtomicInteger spoilt = new AtomicInteger();

    /**
     * @param object part of the path of requests that are spoilt
     * @param times how many of them
     */
    FaultyProxy(InetSocketAddress target, String object, Fault fault, int times)
            throws IOException {
        this.target = target;
        this.object = object;
        this.fault = fault;
        this.left = new AtomicInteger(times);
        server = new ServerSocket(0, 16, InetAddress.getByName("127.0.0.1"));
        daemon(this::accept);
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "faulty proxy");
        thread.setDaemon(true);
        thread.start();
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /** Answers that were spoilt. */
    int spoilt() {
        return spoilt.get();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                daemon(() -> answer(client));
            } catch (IOException e) {
                continue; // closed
            }
        }
    }

    private void answer(Socket client) {
        try (client) {
            String head = head(client.getInputStream());
            String line = head.substring(0, head.indexOf("\r\n"));
            boolean spoil =
                    fault != Fault.NONE
                            && line.startsWith("GET ")
                            && line.contains(object)
                            && left.getAndDecrement() > 0;
            if (spoil) {
                spoilt.incrementAndGet();
            }
            if (spoil && !fault.status.isEmpty()) {
                client.getOutputStream()
                        .write(
                                "HTTP/1.1 %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                                        .formatted(fault.status)
                                        .getBytes(StandardCharsets.ISO_8859_1));
                return;
            }
            try (Socket store = new Socket(target.getAddress(), target.getPort())) {
                store.getOutputStream()
                        .write(
                                head.replaceFirst("\r\n", "\r\nConnection: close\r\n")
                                        .replaceAll("(?i)\r\nConnection: keep-alive", "")
                                        .getBytes(StandardCharsets.ISO_8859_1));
                pass(store.getInputStream(), client.getOutputStream(), spoil ? fault : Fault.NONE);
            }
        } catch (IOException e) {
            return; // the client has had enough
        }
    }

    private static void pass(InputStream from, OutputStream to, Fault fault) throws IOException {
        byte[] all = from.readAllBytes();
        int length = fault == Fault.TRUNCATED ? Math.max(0, all.length - CUT_OFF) : all.length;
        int step = fault == Fault.SLOW ? DRIBBLE : Math.max(1, length);
        for (int at = 0; at < length; at += step) {
            to.write(all, at, Math.min(step, length - at));
            to.flush();
            if (fault == Fault.SLOW) {
                LockSupport.parkNanos(DRIBBLE_NANOS);
            }
        }
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no request");
            }
            head.write(next);
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
