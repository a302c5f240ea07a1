package dev.levee.featureextraction.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.featureextraction.extract.FeatureBatch;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

class FeatureLinkTest {
    private static FeatureBatch batch(int index, int bytes) {
        byte[] payload = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            payload[i] = (byte) (i * index);
        }
        return new FeatureBatch(
                index, new int[] {index, 7}, payload, List.of("bad Ω " + index), 1, 2, 3);
    }

    private static FeatureReceiver receiver(int requests, List<FeatureBatch> taken)
            throws IOException {
        return new FeatureReceiver(InetAddress.getByName("127.0.0.1"), requests, taken::add);
    }

    @Test
    void aFrameHoldsAnAnswer() throws IOException {
        FeatureBatch batch = batch(3, 100);

        assertThat(FeatureFrame.decode(FeatureFrame.encode(batch)))
                .usingRecursiveComparison()
                .isEqualTo(batch);
    }

    @Test
    void aDamagedFrameIsRefused() {
        byte[] frame = FeatureFrame.encode(batch(3, 100));
        for (int i = 0; i < frame.length; i++) {
            byte[] damaged = frame.clone();
            damaged[i] ^= 0x10;
            assertThatThrownBy(() -> FeatureFrame.decode(damaged)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void eachAnswerCountsOnce() throws IOException {
        List<FeatureBatch> taken = new ArrayList<>();
        try (FeatureReceiver receiver = receiver(2, taken);
                FeatureSender first = new FeatureSender(receiver.address());
                FeatureSender second = new FeatureSender(receiver.address())) {
            first.send(FeatureFrame.encode(batch(1, 10)));
            assertThat(receiver.complete()).isFalse();
            second.send(FeatureFrame.encode(batch(0, 10)));
            second.send(FeatureFrame.encode(batch(1, 10)));

            assertThat(receiver.complete()).isTrue();
            assertThat(receiver.repeated()).isEqualTo(1);
            assertThat(taken).extracting(FeatureBatch::index).containsExactly(1, 0);
            assertThatThrownBy(() -> second.send(FeatureFrame.encode(batch(2, 10))))
                    .hasMessageEndingWith("did not take features: it found the frame damaged");
            // After an error a sender connects again.
            second.send(FeatureFrame.encode(batch(0, 10)));
            assertThat(receiver.damaged()).isEqualTo(1);
        }
    }

    /** 250,000 bytes at 8 Mbit/s are a quarter of a second, of which the first burst is free. */
    @Test
    void aSlowLinkCarriesWhatItSays() throws IOException {
        List<FeatureBatch> taken = new ArrayList<>();
        try (FeatureReceiver receiver = receiver(2, taken);
                SlowLink link = new SlowLink(receiver.address(), 8e6);
                FeatureSender sender = new FeatureSender(link.address())) {
            sender.send(FeatureFrame.encode(batch(0, 10)));
            long start = System.nanoTime();
            sender.send(FeatureFrame.encode(batch(1, 250_000)));
            assertThat((System.nanoTime() - start) / 1e9).isGreaterThan(0.2);
            assertThat(taken.get(1)).usingRecursiveComparison().isEqualTo(batch(1, 250_000));
        }
    }

    @Test
    void nobodyThereIsASentence() throws IOException {
        FeatureSender sender;
        try (FeatureReceiver receiver = receiver(1, new ArrayList<>())) {
            sender = new FeatureSender(receiver.address());
        }
        assertThatThrownBy(() -> sender.send(FeatureFrame.encode(batch(0, 1))))
                .hasMessageMatching("the compute tier at .* did not take features: .*refused.*");
    }
}
