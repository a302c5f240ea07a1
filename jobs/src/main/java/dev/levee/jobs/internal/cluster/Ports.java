package dev.levee.jobs.internal.cluster;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports of 127.0.0.1. */
public final class Ports {
    private Ports() {}

    /**
     * Port {@code wanted}, or a free one for 0.
     *
     * @throws IllegalStateException if it is taken; one sentence
     */
    public static int free(int wanted) throws IOException {
        try (ServerSocket socket =
                new ServerSocket(wanted, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.getLocalPort();
        } catch (BindException e) {
            throw new IllegalStateException(
                    "--port " + wanted + " is taken by another process; choose a free one", e);
        }
    }
}
