package dev.levee.federated.gateway.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.SplittableRandom;

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
}
