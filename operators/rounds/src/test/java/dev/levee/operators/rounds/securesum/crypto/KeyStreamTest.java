package dev.levee.operators.rounds.securesum.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

class KeyStreamTest {
    private static final byte[] KEY = new byte[32];

    /** AES-256 of sixteen zeros under a key of zeros begins dc95c078 (NIST, KAT of FIPS 197). */
    @Test
    void theFirstIntegerIsKnown() {
        int[] integers = new int[1];
        new KeyStream(KEY).addTo(integers, false);
        assertThat(integers).containsExactly(Integer.reverseBytes(0xdc95c078));
    }

    @Test
    void aStreamMayBeginAnywhere() {
        int[] whole = new int[20_000];
        new KeyStream(KEY).addTo(whole, false);
        for (int skipped : new int[] {0, 1, 2, 3, 4, 7, 4096, 9999}) {
            int[] part = new int[10_000];
            new KeyStream(KEY, skipped).addTo(part, false);
            assertThat(part).isEqualTo(Arrays.copyOfRange(whole, skipped, skipped + 10_000));
        }
    }

    @Test
    void whatIsAddedIsSubtracted() {
        int[] integers = {1, 2, 3};
        new KeyStream(KEY).addTo(integers, false);
        new KeyStream(KEY).addTo(integers, true);
        assertThat(integers).containsExactly(1, 2, 3);
    }
}
