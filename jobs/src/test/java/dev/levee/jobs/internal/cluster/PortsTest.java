package dev.levee.jobs.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;

class PortsTest {
    @Test
    void aFreePortIsNoneThatAConnectionMayGet() throws IOException {
        for (int i = 0; i < 100; i++) {
            assertThat(Ports.free(0)).isBetween(12_000, 32_767);
        }
    }

    /** Chosen at random, some of so many would be the same. */
    @Test
    void noPortIsChosenTwice() throws IOException {
        Set<Integer> chosen = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            assertThat(chosen.add(Ports.free(0))).isTrue();
        }
    }

    @Test
    void aTakenPortIsRefused() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThatThrownBy(() -> Ports.free(taken.getLocalPort()))
                    .hasMessage(
                            "--port %d is taken by another process; choose a free one"
                                    .formatted(taken.getLocalPort()));
        }
    }
}
