package dev.levee.connectors.kafka.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.securesum.crypto.KeyStream;

import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

class SharedKeyTest {
    private static final byte[] MESSAGE = "message".getBytes(StandardCharsets.US_ASCII);

    @Test
    void bothSidesShareTheSame() {
        SharedKey worker = SharedKey.of(TestKeys.WORKER, TestKeys.JOB_PUBLIC);
        SharedKey job = SharedKey.of(TestKeys.JOB, TestKeys.WORKER_PUBLIC);
        assertThat(worker.tag(MESSAGE)).hasSize(16).isEqualTo(job.tag(MESSAGE));
    }

    @Test
    void nobodyElseSharesIt() {
        SharedKey worker = SharedKey.of(TestKeys.WORKER, TestKeys.JOB_PUBLIC);
        SharedKey itself = SharedKey.of(TestKeys.WORKER, TestKeys.WORKER_PUBLIC);
        assertThat(worker.tag(MESSAGE)).isNotEqualTo(itself.tag(MESSAGE));
    }

    @Test
    void aStreamIsThatOfAnotherImplementation() {
        // By Python's cryptography 38: HKDFExpand(SHA256, 32, b"levee/mask:" + run + round) and
        // AES(key) in CTR(bytes(16)).
        KeyStream stream =
                SharedKey.of(TestKeys.JOB, TestKeys.WORKER_PUBLIC).stream(
                        1_795_000_000_000_000L, 7);
        int[] sums = new int[5000];
        sums[1] = 10;
        stream.addTo(sums, false);
        assertThat(sums).startsWith(-1312012171, 1752142604 + 10, 628540724, 674357457);
        assertThat(sums[4999]).isEqualTo(1897245380);
    }

    @Test
    void bothSidesHaveTheSameStreamOfARoundInWhateverPieces() {
        KeyStream one = SharedKey.of(TestKeys.WORKER, TestKeys.JOB_PUBLIC).stream(1, 2);
        KeyStream other = SharedKey.of(TestKeys.JOB, TestKeys.WORKER_PUBLIC).stream(1, 2);
        int[] first = new int[5001];
        int[] second = new int[3];
        int[] whole = new int[5004];
        one.addTo(first, false);
        one.addTo(second, true);
        other.addTo(whole, false);
        assertThat(Arrays.copyOf(whole, 5001)).isEqualTo(first);
        assertThat(second).containsExactly(-whole[5001], -whole[5002], -whole[5003]);

        int[] next = new int[1];
        SharedKey.of(TestKeys.JOB, TestKeys.WORKER_PUBLIC).stream(1, 3).addTo(next, false);
        assertThat(next[0]).isNotEqualTo(whole[0]);
    }

    @Test
    void theBasePointGoesToTheBasePoint() {
        // Ed25519's base point has y = 4/5, X25519's u = 9 (RFC 7748, 4.1).
        VerifyingKey base =
                TestKeys.verifying(
                        "5866666666666666666666666666666666666666666666666666666666666666");
        assertThat(base.montgomeryU()).isEqualTo(BigInteger.valueOf(9));
    }
}
