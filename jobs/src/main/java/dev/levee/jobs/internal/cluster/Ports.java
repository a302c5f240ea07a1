package dev.levee.jobs.internal.cluster;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Finds free ports of 127.0.0.1. */
public final class Ports {
    /**
     * Lowest port to choose. A process binds its port seconds after it was chosen. By then, the
     * system may have given it to a connection if it were 32,768 or above (49,152 by IANA).
     */
    private static final int FIRST = 12_000;

    private static final int END = 32_768;
    private static final int TRIES = 1000;

    /** The ports that this process has chosen. Those that nobody has bound yet look free. */
    private static final Set<Integer> CHOSEN = ConcurrentHashMap.newKeySet();

    private Ports() {}

    /**
     * Returns port {@code wanted}, or a free port for 0.
     *
     * @throws IllegalStateException if {@code wanted} is taken, or no port is free; one sentence
     */
    public static int free(int wanted) throws IOException {
        if (wanted == 0) {
            return anyFree();
        }
        if (!isFree(wanted)) {
            throw new IllegalStateException(
                    "--port " + wanted + " is taken by another process; choose a free one");
        }
        return wanted;
    }

    private static int anyFree() throws IOException {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (isFree(port) && CHOSEN.add(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port was found; choose one");
    }

    private static boolean isFree(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.isBound();
        } catch (BindException e) {
            return false;
        }
    }
}
