package dev.levee.featureextraction.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.featureextraction.extract.FeatureRequest;
import dev.levee.featureextraction.link.Message;
import dev.levee.featureextraction.link.MessageStream;

import org.junit.jupiter.api.Test;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class FetchTest {
    private static final InetSocketAddress ONE = new InetSocketAddress("127.0.0.1", 1);
    private static final InetSocketAddress OTHER = new InetSocketAddress("127.0.0.1", 2);
    private static final FeatureRequest REQUEST =
            new FeatureRequest(0, "part", 0, 1, new PackedFolder.Item("part", 1, 10, "", ""));

    private final Fetch fetch =
            new Fetch(
                    List.of(ONE, OTHER),
                    null,
                    new float[0],
                    Duration.ofDays(1),
                    List.of(REQUEST),
                    batch -> {},
                    (rate, left) -> true);

    @Test
    void aRequestWhoseConnectionAlwaysBreaksIsGivenUp() {
        for (int i = 0; i < 100; i++) {
            Map<Integer, FeatureRequest> asked = new HashMap<>(Map.of(0, REQUEST));
            fetch.broken(ONE, new EOFException("it ended"), asked);
            assertThat(asked).isEmpty();
        }
        assertThatThrownBy(fetch::await).hasMessage("tcp://127.0.0.1:1: it ended");
    }

    @Test
    void anAddressWithoutAQueueDoesNotShortenThePatienceForAnother() {
        fetch.waits(ONE, 100);
        fetch.waits(OTHER, 0);
        assertThat(fetch.turn()).isEqualTo(100_000_000_000L);
        fetch.broken(ONE, new EOFException("it ended"), new HashMap<>());
        assertThat(fetch.turn()).isZero();
    }

    @Test
    void parametersInTransitAreProgressAndHeartbeatsAreNot() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                MessageStream stream =
                        new MessageStream(
                                new Socket(server.getInetAddress(), server.getLocalPort()))) {
            fetch.add(stream);
            stream.write(new Message.Alive(1, 0));
            assertThat(fetch.carries()).isFalse();
            stream.write(new Message.Parameters(new float[10_000]));
            assertThat(fetch.carries()).isTrue();
            assertThat(fetch.carries()).isFalse();
        }
    }
}
