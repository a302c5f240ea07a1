package dev.levee.featureextraction.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.featureextraction.extract.FeatureBatch;
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
import java.util.stream.IntStream;

class FetchTest {
    private static final InetSocketAddress ONE = new InetSocketAddress("127.0.0.1", 1);
    private static final InetSocketAddress OTHER = new InetSocketAddress("127.0.0.1", 2);
    private static final FeatureRequest REQUEST =
            new FeatureRequest(0, "part", 0, 1, new PackedFolder.Contents(1, 10, ""));

    private static final double DAY = 24 * 60 * 60;

    private final Fetch fetch = fetch(Duration.ofDays(1));

    private static Fetch fetch(Duration patience) {
        return fetch(patience, List.of(REQUEST));
    }

    private static FeatureRequest request(int index) {
        return new FeatureRequest(
                index, REQUEST.object(), REQUEST.from(), REQUEST.to(), REQUEST.listed());
    }

    private static Fetch fetch(Duration patience, List<FeatureRequest> requests) {
        return new Fetch(
                List.of(ONE, OTHER),
                null,
                new float[0],
                patience,
                requests,
                batch -> {},
                (rate, left) -> true);
    }

    @Test
    void aRequestWhoseConnectionAlwaysBreaksIsGivenUp() {
        for (int i = 0; i < 100; i++) {
            Map<Integer, FeatureRequest> asked = new HashMap<>(Map.of(0, REQUEST));
            fetch.broken(ONE, new EOFException("it ended"), asked);
            assertThat(asked).isEmpty();
        }
        assertThatThrownBy(fetch::await).hasMessage("tcp://127.0.0.1:1: it ended");
    }

    /** Each connection answers the newest of its eight requests. */
    @Test
    void aConnectionThatBreaksAfterAnAnswerIsNoFailure() throws IOException {
        List<FeatureRequest> requests =
                IntStream.range(0, 200).mapToObj(FetchTest::request).toList();
        Fetch slow = fetch(Duration.ofDays(1), requests);
        Map<Integer, FeatureRequest> asked = new HashMap<>();
        for (int newest = 7; newest < 200; newest++) {
            for (int old = 0; old < 7; old++) {
                assertThat(slow.next(asked)).isEqualTo(requests.get(old));
            }
            assertThat(slow.next(asked)).isEqualTo(requests.get(newest));
            FeatureBatch answer =
                    new FeatureBatch(newest, new int[0], new byte[0], List.of(), 0, 0, 0);
            slow.take(ONE, answer, asked);
            slow.broken(ONE, new EOFException("it ended"), asked);
        }
        assertGoesOn(slow);
    }

    @Test
    void anAddressWithoutAQueueDoesNotShortenThePatienceForAnother() {
        Fetch impatient = fetch(Duration.ZERO);
        impatient.waits(ONE, DAY);
        impatient.waits(OTHER, 0);
        assertGoesOn(impatient);
    }

    @Test
    void aBrokenConnectionDoesNotShortenThePatience() {
        Fetch impatient = fetch(Duration.ZERO);
        impatient.waits(ONE, DAY);
        impatient.broken(ONE, new EOFException("it ended"), new HashMap<>());
        assertGoesOn(impatient);
    }

    @Test
    void theLastRequestThatStartsDoesNotShortenThePatience() {
        Fetch impatient = fetch(Duration.ZERO);
        impatient.waits(ONE, DAY);
        impatient.waits(ONE, 0);
        assertGoesOn(impatient);
    }

    @Test
    void anAddressWithoutRequestsDoesNotExtendThePatienceForAnother() throws InterruptedException {
        Fetch impatient = fetch(Duration.ZERO);
        impatient.waits(ONE, DAY);
        impatient.waits(OTHER, 0);
        impatient.awaitOthers(ONE);
        assertThat(interrupted(impatient)).hasMessageEndingWith(": it has not answered yet");
    }

    private static void assertGoesOn(Fetch fetch) {
        assertThat(interrupted(fetch)).isInstanceOf(InterruptedException.class);
    }

    /** What an interrupted thread gets: unless the call gives up at once, it would wait. */
    private static Throwable interrupted(Fetch fetch) {
        Thread.currentThread().interrupt();
        try {
            return catchThrowable(fetch::await);
        } finally {
            Thread.interrupted();
        }
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
