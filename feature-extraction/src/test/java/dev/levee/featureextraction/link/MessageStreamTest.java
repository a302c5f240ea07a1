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
import java.util.List;

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
                                    new PackedFolder.Item("part", 30, 3000, "12ab", "cd"))),
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
            assertThat(from.received()).isGreaterThan(1000);
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

    @Test
    void aClaimThatIsTooLargeIsRefused() throws IOException {
        try (ServerSocket server = server();
                Socket sender = new Socket(server.getInetAddress(), server.getLocalPort());
                MessageStream from = new MessageStream(server.accept())) {
            sender.getOutputStream().write(new byte[] {3, 127, 0, 0, 0});
            assertThatThrownBy(from::read).hasMessageContaining("claims a list of 2130706432");
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
                                new InetSocketAddress(
                                        server.getInetAddress(), server.getLocalPort()),
                                8e6,
                                time);
                MessageStream client =
                        new MessageStream(
                                new Socket(link.address().getAddress(), link.address().getPort()));
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
