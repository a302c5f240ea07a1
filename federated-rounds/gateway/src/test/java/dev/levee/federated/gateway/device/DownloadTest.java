package dev.levee.federated.gateway.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.levee.connectors.kafka.versions.ModelReader;
import dev.levee.connectors.kafka.versions.NewestVersion;
import dev.levee.connectors.kafka.versions.Versions;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.federated.gateway.GatewayFixture;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardId;

import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

class DownloadTest {
    @Test
    void anAnnouncementReservesNothing() {
        Download download = new Download(Integer.MAX_VALUE - 8);
        assertThat(download.reserved()).isLessThanOrEqualTo(1 << 16);
        download.add(new byte[1 << 20], 1 << 20);
        assertThat(download.reserved()).isLessThanOrEqualTo(1 << 21);
        assertThat(download.complete()).isFalse();
    }

    @Test
    void piecesOfAnySizeBecomeTheBytes() {
        SplittableRandom random = new SplittableRandom(1);
        byte[] sent = new byte[300_000];
        random.nextBytes(sent);
        Download download = new Download(sent.length);
        byte[] piece = new byte[1 << 16];
        while (!download.complete()) {
            int count = Math.min(random.nextInt(1, piece.length), sent.length - download.length());
            System.arraycopy(sent, download.length(), piece, 0, count);
            download.add(piece, count);
            assertThat(download.reserved())
                    .isLessThanOrEqualTo(Math.max(1 << 16, 2 * download.length()));
        }
        byte[] received = new byte[sent.length];
        download.bytes().get(received);
        assertThat(received).isEqualTo(sent);
    }

    @Test
    void bytesBeyondTheAnnouncedNumberAreLeftOut() {
        Download download = new Download(3);
        download.add(new byte[] {1, 2}, 2);
        download.add(new byte[] {3, 4, 5}, 3);
        assertThat(download.complete()).isTrue();
        assertThat(download.bytes().remaining()).isEqualTo(3);
    }

    /** Like the network of a phone that has moved on: no byte comes, and no end. */
    @Test
    void aLinkThatDiesSilentlyEndsADownload() throws Exception {
        byte[] answer = "HTTP/1.1 206 Some\r\nContent-Length: 100\r\n\r\nabc".getBytes(US_ASCII);
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            URI there = URI.create("http://127.0.0.1:" + listening.getLocalPort());
            CompletableFuture<HttpResponse<InputStream>> response =
                    HttpClient.newHttpClient()
                            .sendAsync(
                                    HttpRequest.newBuilder(there).build(),
                                    BodyHandlers.ofInputStream());
            try (Socket gateway = listening.accept()) {
                gateway.getOutputStream().write(answer);
                InputStream body = response.get().body();
                assertThat(body.readNBytes(3)).isEqualTo("abc".getBytes(US_ASCII));
                InputStream in = new TimedStream(body, Duration.ofMillis(20));
                assertThatThrownBy(() -> in.readNBytes(1))
                        .isInstanceOf(SocketTimeoutException.class)
                        .hasMessage("no byte has come for 20 ms");
            }
        }
    }

    /** A link that passes some bytes of each version, and refuses every second request. */
    private static final class BadLink implements GatewayClient {
        private static final int PASSES = 1000;

        private final List<Long> asked = new ArrayList<>();
        private long version;
        private Runnable announcing = () -> {};

        private byte[] bytes() {
            float[] values = new float[500];
            Arrays.fill(values, version);
            Header header = Header.model(GatewayFixture.RUN, version, new ShardId(0, 0));
            byte[] frame =
                    Frames.of(
                            new ModelBlock(header, GatewayFixture.settings(false), values),
                            1,
                            null);
            return ByteBuffer.allocate(Integer.BYTES + frame.length)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(frame.length)
                    .put(frame)
                    .array();
        }

        @Override
        public Optional<News> newest(String after, Duration wait) {
            announcing.run();
            String id = GatewayFixture.RUN + "-" + version;
            return Optional.of(
                    new News(GatewayFixture.RUN, version, id, bytes().length, "tag", true));
        }

        @Override
        public boolean download(News news, long from, Output output) {
            asked.add(from);
            if (asked.size() % 2 == 0) {
                throw new TimeoutException("too many bytes of this device (HTTP 429)");
            }
            byte[] all = bytes();
            byte[] rest = Arrays.copyOfRange(all, (int) from, all.length);
            output.write(rest, Math.min(PASSES, rest.length));
            if (rest.length > PASSES) {
                throw new TimeoutException("the link is cut");
            }
            return true;
        }

        @Override
        public void contribute(Frame frame, byte[] bytes) {}

        @Override
        public void score(Frame frame, byte[] bytes) {}

        @Override
        public void say(Frame frame, byte[] bytes) {}

        @Override
        public List<byte[]> told(String id, int from, Duration wait) {
            return List.of();
        }

        @Override
        public void opened() {}

        @Override
        public void closed() {}
    }

    private record Heard(List<NewestVersion.Found> models) implements ModelReader.Output {
        @Override
        public void newest(NewestVersion.Found model) {
            models.add(model);
        }

        @Override
        public void contradicted(Versions.Contradiction proof) {}

        @Override
        public void waiting(String why) {}

        @Override
        public void failed(RuntimeException cause) {
            throw cause;
        }
    }

    /** The request for it began before the device did. */
    @Test
    void aVersionThatComesWhileTheDeviceTrainsIsDownloadedAfterwards() throws Exception {
        BadLink link = new BadLink();
        Heard heard = new Heard(new ArrayList<>());
        GatewayModels models = new GatewayModels(link, "demo", ServerRing.open(1), heard);
        link.announcing = models::hold;
        models.look();
        assertThat(link.asked).isEmpty();
        link.announcing = () -> {};
        models.resume();
        assertThatThrownBy(models::look).isInstanceOf(TimeoutException.class);
        assertThat(link.asked).startsWith(0L);
    }

    @Test
    void aDownloadContinuesAfterTheGatewayHasRefusedItForAWhile() throws Exception {
        BadLink link = new BadLink();
        Heard heard = new Heard(new ArrayList<>());
        GatewayModels models = new GatewayModels(link, "demo", ServerRing.open(1), heard);
        for (int look = 0; look < 2; look++) {
            assertThatThrownBy(models::look).isInstanceOf(TimeoutException.class);
        }
        models.look();
        assertThat(link.asked).containsExactly(0L, 1000L, 1000L, 2000L, 2000L);
        assertThat(heard.models()).hasSize(1);
        link.version++;
        assertThatThrownBy(models::look).isInstanceOf(TimeoutException.class);
        assertThat(link.asked).as("not the bytes of another version").endsWith(0L);
    }
}
