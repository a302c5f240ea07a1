package dev.levee.featureextraction.link;

import dev.levee.featureextraction.split.Bandwidth;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * A link of a given bandwidth to one or more targets: a TCP proxy that limits the bits per second
 * of all its connections together, in each direction. It delays each burst of a hundredth of a
 * second before passing it on, and needs neither root nor network namespaces. When run as a
 * separate process, it prints a port for each target on the first line of its output, and ends with
 * its input.
 */
public final class SlowLink implements AutoCloseable {
    private static final double BURST_SECONDS = 0.01;
    private static final int SMALLEST_BURST = 1500;
    private static final int LARGEST_BURST = 1 << 18;

    /** The clock that delays bursts. */
    interface Clock {
        /** Monotonic time in nanoseconds. */
        long now();

        /** Waits until {@link #now} reaches {@code moment}. */
        void await(long moment);

        /** The system's clock. */
        Clock SYSTEM =
                new Clock() {
                    @Override
                    public long now() {
                        return System.nanoTime();
                    }

                    @Override
                    public void await(long moment) {
                        for (long left = moment - now(); left > 0; left = moment - now()) {
                            LockSupport.parkNanos(left);
                        }
                    }
                };
    }

    private final List<ServerSocket> servers = new ArrayList<>();
    private final Clock clock;
    private volatile double bytesPerSecond;
    private final Lane there;
    private final Lane back;

    /**
     * Listens on a free port of 127.0.0.1 for each target.
     *
     * @param bitsPerSecond above 0
     */
    public SlowLink(List<InetSocketAddress> targets, double bitsPerSecond) throws IOException {
        this(targets, bitsPerSecond, Clock.SYSTEM);
    }

    SlowLink(List<InetSocketAddress> targets, double bitsPerSecond, Clock clock)
            throws IOException {
        this.clock = clock;
        this.bytesPerSecond = bitsPerSecond / Byte.SIZE;
        this.there = new Lane();
        this.back = new Lane();
        for (InetSocketAddress target : targets) {
            ServerSocket server = new ServerSocket(0, 16, InetAddress.getByName("127.0.0.1"));
            servers.add(server);
            daemon(() -> accept(server, target));
        }
    }

    /**
     * Runs a link until the standard input ends.
     *
     * @param arguments bandwidth, then host and port of each target, such as {@code 50M 127.0.0.1
     *     8080}
     */
    public static void main(String[] arguments) throws IOException {
        List<InetSocketAddress> targets = new ArrayList<>();
        for (int i = 1; i < arguments.length; i += 2) {
            targets.add(new InetSocketAddress(arguments[i], Integer.parseInt(arguments[i + 1])));
        }
        try (SlowLink link = new SlowLink(targets, Bandwidth.parse(arguments[0]).bitsPerSecond())) {
            System.out.println(
                    link.addresses().stream()
                            .map(address -> Integer.toString(address.getPort()))
                            .collect(Collectors.joining(" ")));
            while (System.in.read() >= 0) {
                // The parent process holds the other end, which closes when the parent ends.
                continue;
            }
        }
    }

    /**
     * Changes the bandwidth.
     *
     * @param bitsPerSecond above 0
     */
    public void carry(double bitsPerSecond) {
        bytesPerSecond = bitsPerSecond / Byte.SIZE;
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "slow link");
        thread.setDaemon(true);
        thread.start();
    }

    /** The addresses on which the link listens, in the order of the targets. */
    public List<InetSocketAddress> addresses() {
        return servers.stream()
                .map(server -> (InetSocketAddress) server.getLocalSocketAddress())
                .toList();
    }

    private void accept(ServerSocket server, InetSocketAddress target) {
        while (!server.isClosed()) {
            try {
                connect(server.accept(), target);
            } catch (IOException e) {
                // The link is closed, or the target is unreachable.
                continue;
            }
        }
    }

    /** Connects to the target; if that fails, the sender's connection ends. */
    private void connect(Socket from, InetSocketAddress target) throws IOException {
        Socket to;
        try {
            to = new Socket(target.getAddress(), target.getPort());
        } catch (IOException e) {
            from.close();
            throw e;
        }
        to.setTcpNoDelay(true);
        from.setTcpNoDelay(true);
        int burst =
                (int)
                        Math.max(
                                SMALLEST_BURST,
                                Math.min(LARGEST_BURST, bytesPerSecond * BURST_SECONDS));
        daemon(() -> pass(from, to, burst, there));
        daemon(() -> pass(to, from, burst, back));
    }

    private void pass(Socket from, Socket to, int burst, Lane lane) {
        byte[] bytes = new byte[burst];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                lane.pay(count);
                out.write(bytes, 0, count);
                out.flush();
            }
        } catch (IOException e) {
            // One side has closed its connection, so the other connection is closed, too.
            return;
        }
    }

    /** One direction of all connections together. */
    private final class Lane {
        private long free = clock.now();

        /** Waits for the time that the link takes to carry {@code count} bytes. */
        void pay(int count) {
            long until;
            synchronized (this) {
                free = Math.max(clock.now(), free) + Math.round(count / bytesPerSecond * 1e9);
                until = free;
            }
            clock.await(until);
        }
    }

    @Override
    public void close() throws IOException {
        for (ServerSocket server : servers) {
            server.close();
        }
    }
}
