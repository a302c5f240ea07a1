package dev.levee.connectors.kafka.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

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
    void theBasePointGoesToTheBasePoint() {
        // Ed25519's base point has y = 4/5, X25519's u = 9 (RFC 7748, 4.1).
        VerifyingKey base =
                TestKeys.verifying(
                        "5866666666666666666666666666666666666666666666666666666666666666");
        assertThat(base.montgomeryU()).isEqualTo(BigInteger.valueOf(9));
    }
}
