package dev.levee.featureextraction.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.featureextraction.extract.Augmentation;
import dev.levee.featureextraction.extract.Encoding;
import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.FeatureBatch;
import dev.levee.featureextraction.extract.FeatureRequest;
import dev.levee.featureextraction.extract.Scaling;
import dev.levee.learners.layers.LayeredNetwork;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

class MessageStreamTest {
    private static final LayeredNetwork NETWORK =
            LayeredNetwork.open("cifarnet", new int[] {3, 32, 32}, 2);

    private static final List<Message> MESSAGES =
            List.of(
                    new Message.Hello(
                            "me",
                            new Extraction(
                                    NETWORK,
                                    NETWORK.after(7),
                                    Scaling.IMAGENET,
                                    4,
                                    100,
                                    Encoding.INT8,
                                    new Augmentation(-5, 3)),
                            "abc"),
                    new Message.Welcome(true),
                    new Message.Parameters(new float[] {1, -2.5f, Float.MIN_VALUE}),
                    new Message.Ask(
                            new FeatureRequest(
                                    3,
                                    "s3a://b/part",
                                    10,
                                    20,
                                    new PackedFolder.Contents(30, 3000, "cd"))),
                    new Message.Answer(
                            new FeatureBatch(
                                    3, new int[] {0, 7}, new byte[1000], List.of("Ω"), 1, 2, 3)),
                    new Message.Failed(3, true, "it is gone"),
                    new Message.Alive(25, 1.5));

    private static ServerSocket server() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
    }

    @Test
    void messagesArriveAsTheyWere() throws IOException {
        try (ServerSocket server = server();
                MessageStream to =
                        new MessageStream(
                                new Socket(server.getInetAddress(), server.getLocalPort()));
                MessageStream from = new MessageStream(server.accept())) {
            for (Message message : MESSAGES) {
                to.write(message);
                Message read = from.read();
                assertThat(read).usingRecursiveComparison().isEqualTo(message);
            }
            assertThat(from.received()).isGreaterThan(1000).isEqualTo(to.sent());
        }
    }

    /** Nobody reads the message, and the operating system takes only a part of it. */
    @Test
    void aPartOfAMessageThatHasLeftIsCounted() throws Exception {
        byte[] payload = new byte[1 << 26];
        Message answer =
                new Message.Answer(new FeatureBatch(0, new int[0], payload, List.of(), 0, 0, 0));
        try (ServerSocket server = server();
                MessageStream to =
                        new MessageStream(
                                new Socket(server.getInetAddress(), server.getLocalPort()))) {
            Thread writer =
                    new Thread(
                            () ->
                                    assertThatThrownBy(() -> to.write(answer))
                                            .isInstanceOf(IOException.class));
            writer.start();
            while (to.sent() < 1000) {
                Thread.onSpinWait();
            }
            to.close();
            writer.join();
            assertThat(to.sent()).isLessThan(payload.length);
        }
    }

    /** What a message is on the wire. */
    private static byte[] bytes(Message message) throws IOException {
        try (ServerSocket server = server()) {
            Socket sender = new Socket(server.getInetAddress(), server.getLocalPort());
            try (MessageStream to = new MessageStream(sender);
                    Socket receiver = server.accept()) {
                to.write(message);
                sender.shutdownOutput();
                return receiver.getInputStream().readAllBytes();
            }
        }
    }

    @Test
    void whatWasDamagedIsNotRead() throws IOException {
        byte[] whole = bytes(MESSAGES.get(3));
        for (int i = 0; i < whole.length; i++) {
            byte[] damaged = whole.clone();
            damaged[i] ^= 0x10;
            try (ServerSocket server = server();
                    Socket sender = new Socket(server.getInetAddress(), server.getLocalPort());
                    MessageStream from = new MessageStream(server.accept())) {
                sender.getOutputStream().write(damaged);
                sender.shutdownOutput();
                assertThatThrownBy(from::read).isInstanceOf(IOException.class);
            }
        }
    }

    private static void readDamaged(byte[] damaged) throws IOException {
        try (ServerSocket server = server();
                Socket sender = new Socket(server.getInetAddress(), server.getLocalPort());
                MessageStream from = new MessageStream(server.accept())) {
            sender.getOutputStream().write(damaged);
            sender.shutdownOutput();
            from.read(Message.Hello.class, 0);
        }
    }

    /** Only what arrived whole is refused for good; what was damaged is sent again. */
    @Test
    void aGreetingOfAnotherVersionOrNetworkIsRefused() throws IOException {
        byte[] whole = bytes(MESSAGES.get(0));
        for (int i = 2; i < whole.length; i++) {
            byte[] damaged = whole.clone();
            damaged[i] ^= 1;
            assertThatThrownBy(() -> readDamaged(damaged))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(RefusedException.class);
        }
        byte[] later = whole.clone();
        later[1]++;
        assertThatThrownBy(() -> readDamaged(later))
                .isInstanceOf(RefusedException.class)
                .hasMessageMatching("the other side speaks version \\d+, not \\d+");
        byte[] other = whole.clone();
        int name = new String(whole, StandardCharsets.ISO_8859_1).indexOf("cifarnet");
        other[name] = 'z';
        CRC32C sum = new CRC32C();
        sum.update(other, 0, other.length - Integer.BYTES);
        ByteBuffer.wrap(other).putInt(other.length - Integer.BYTES, (int) sum.getValue());
        assertThatThrownBy(() -> readDamaged(other))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("zifarnet");
    }

    /** The sender waits, so a reader of the claimed length would wait, too. */
    @Test
    void aDamagedLengthIsNoticedBeforeItsData() throws IOException {
        byte[] damaged = bytes(MESSAGES.get(4));
        int length = 1 + Integer.BYTES + 3 * Long.BYTES;
        damaged[length + 1] ^= 1;
        try (ServerSocket server = server();
                Socket sender = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket receiver = server.accept();
                MessageStream from = new MessageStream(receiver)) {
            receiver.setSoTimeout(60_000);
            sender.getOutputStream().write(damaged);
            assertThatThrownBy(from::read).hasMessage("a message was damaged in transit");
        }
    }

    @Test
    void aTierReadsNothingThatItDoesNotExpect() throws IOException {
        for (byte[] start : List.of(new byte[] {5}, new byte[] {3, 0, 0, 0, 7})) {
            try (ServerSocket server = server();
                    Socket sender = new Socket(server.getInetAddress(), server.getLocalPort());
                    Socket receiver = server.accept();
                    MessageStream from = new MessageStream(receiver)) {
                receiver.setSoTimeout(60_000);
                sender.getOutputStream().write(start);
                assertThatThrownBy(() -> from.read(Message.Parameters.class, 6))
                        .hasMessageMatching(
                                "a message of unexpected kind 5|a message claims a list of 7");
            }
        }
    }

    @Test
    void aClaimThatIsTooLargeIsRefused() throws IOException {
        try (ServerSocket server = server();
                Socket sender = new Socket(server.getInetAddress(), server.getLocalPort());
                MessageStream from = new MessageStream(server.accept())) {
            sender.getOutputStream().write(new byte[] {3, 127, 0, 0, 0});
            assertThatThrownBy(from::read).hasMessageContaining("claims a list of 2130706432");
        }
    }

    private static Socket connect(InetSocketAddress address) throws IOException {
        return new Socket(address.getAddress(), address.getPort());
    }

    @Test
    void connectionsThatWaitTogetherShareTheTime() {
        AtomicLong time = new AtomicLong();
        AtomicLong first = new AtomicLong();
        AtomicLong second = new AtomicLong();
        LongSupplier one = first::get;
        LongSupplier other = second::get;
        LinkMeter meter = new LinkMeter(time::get);
        meter.begin(one);
        meter.begin(other);
        first.set(600);
        second.set(400);
        time.set(10);
        assertThat(meter.rate()).isEqualTo(new LinkRate(1000, 10));
        meter.end(one);
        time.set(20);
        second.set(1400);
        meter.end(other);
        assertThat(meter.rate()).isEqualTo(new LinkRate(2000, 20));
        // Everything had already arrived.
        second.set(0);
        meter.begin(other);
        time.set(30);
        meter.end(other);
        assertThat(meter.rate()).isEqualTo(new LinkRate(2000, 20));
    }

    /** Two targets, each with 250,000 bytes at 8 Mbit/s, take half a second. */
    @Test
    void aSlowLinkCarriesItsRateToAllTargetsTogether() throws IOException {
        Message large =
                new Message.Answer(
                        new FeatureBatch(0, new int[0], new byte[250_000], List.of(), 0, 0, 0));
        VirtualTime time = new VirtualTime();
        try (ServerSocket one = server();
                ServerSocket other = server();
                SlowLink link =
                        new SlowLink(
                                Stream.of(one, other)
                                        .map(
                                                each ->
                                                        (InetSocketAddress)
                                                                each.getLocalSocketAddress())
                                        .toList(),
                                8e6,
                                time)) {
            long start = time.now();
            for (int i = 0; i < 2; i++) {
                try (MessageStream client = new MessageStream(connect(link.addresses().get(i)));
                        MessageStream far = new MessageStream((i == 0 ? one : other).accept())) {
                    client.write(large);
                    assertThat(far.read()).usingRecursiveComparison().isEqualTo(large);
                }
            }
            assertThat(time.now() - start).isBetween(500_000_000L, 502_000_000L);
        }
    }

    @Test
    void aSlowLinkToNobodyEndsTheConnection() throws IOException {
        InetSocketAddress nobody = new InetSocketAddress("127.0.0.1", 1);
        try (SlowLink link = new SlowLink(List.of(nobody), 8e6);
                Socket client = connect(link.addresses().get(0))) {
            client.setSoTimeout(60_000);
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    /** Time that passes only where somebody waits for it. */
    private static final class VirtualTime implements SlowLink.Clock {
        private long now;

        @Override
        public synchronized long now() {
            return now;
        }

        @Override
        public synchronized void await(long moment) {
            now = Math.max(now, moment);
        }
    }

    /** 250,000 bytes at 8 Mbit/s take a quarter of a second, and what surrounds them a little. */
    @Tag("long")
    @Test
    void aSlowLinkCarriesWhatItSaysEachWay() throws IOException {
        Message large =
                new Message.Answer(
                        new FeatureBatch(0, new int[0], new byte[250_000], List.of(), 0, 0, 0));
        VirtualTime time = new VirtualTime();
        try (ServerSocket server = server();
                SlowLink link =
                        new SlowLink(
                                List.of(
                                        new InetSocketAddress(
                                                server.getInetAddress(), server.getLocalPort())),
                                8e6,
                                time);
                MessageStream client = new MessageStream(connect(link.addresses().get(0)));
                MessageStream far = new MessageStream(server.accept())) {
            for (List<MessageStream> way : List.of(List.of(client, far), List.of(far, client))) {
                long start = time.now();
                way.get(0).write(large);
                assertThat(way.get(1).read()).usingRecursiveComparison().isEqualTo(large);
                assertThat(time.now() - start).isBetween(250_000_000L, 251_000_000L);
            }
        }
    }
}
