package dev.levee.federated.gateway.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

class LimitsTest {
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong now = new AtomicLong();

    @Test
    void aBucketLetsABurstThroughAndThenItsRate() {
        Buckets buckets = new Buckets(2, 5, now::get); // 2 a second, 10 at once
        for (int i = 0; i < 10; i++) {
            assertThat(buckets.take("w3", 1)).isZero();
        }
        assertThat(buckets.take("w3", 1)).isEqualTo(1);
        assertThat(buckets.take("w4", 1)).as("another client").isZero();
        now.addAndGet(SECOND);
        assertThat(buckets.take("w3", 1)).isZero();
        assertThat(buckets.take("w3", 1)).isZero();
        assertThat(buckets.take("w3", 1)).isPositive();
    }

    @Test
    void whoTakesMoreThanThereIsWaitsForIt() {
        Buckets buckets = new Buckets(100, 10, now::get); // 1000 at once
        assertThat(buckets.take("w3", 5000)).isZero();
        assertThat(buckets.take("w3", 1)).as("4000 are owed").isEqualTo(40);
        now.addAndGet(39 * SECOND);
        assertThat(buckets.take("w3", 1)).isEqualTo(1);
        now.addAndGet(2 * SECOND);
        assertThat(buckets.take("w3", 1)).isZero();
    }

    @Test
    void whatCannotBeRefusedIsChargedAllTheSame() {
        Buckets buckets = new Buckets(1, 10, now::get);
        buckets.charge("10.0.0.1", 30);
        assertThat(buckets.take("10.0.0.1", 1)).isEqualTo(20);
    }

    @Test
    void clientsWhoseBucketsAreFullAreForgotten() {
        Buckets buckets = new Buckets(1, 10, now::get);
        buckets.take("w3", 1);
        buckets.take("w4", 8);
        now.addAndGet(2 * SECOND);
        buckets.prune();
        assertThat(buckets.size()).isEqualTo(1);
        now.addAndGet(10 * SECOND);
        buckets.prune();
        assertThat(buckets.size()).isZero();
    }

    @Test
    void aReserveGivesNoMoreThanItHas() {
        Reserve reserve = new Reserve(10);
        assertThat(reserve.take(6)).isTrue();
        assertThat(reserve.take(5)).isFalse();
        assertThat(reserve.take(4)).isTrue();
        reserve.give(6);
        assertThat(reserve.used()).isEqualTo(4);
        assertThat(reserve.take(6)).isTrue();
    }

    @Test
    void connectionsAreCountedInAllAndByAddress() {
        ConnectionCounts tally = new ConnectionCounts(3, 2);
        assertThat(tally.open("a")).isEqualTo(ConnectionCounts.Verdict.COUNTED);
        assertThat(tally.open("a")).isEqualTo(ConnectionCounts.Verdict.COUNTED);
        assertThat(tally.open("a")).isEqualTo(ConnectionCounts.Verdict.TOO_MANY_OF_ADDRESS);
        assertThat(tally.open("b")).isEqualTo(ConnectionCounts.Verdict.COUNTED);
        assertThat(tally.open("c")).isEqualTo(ConnectionCounts.Verdict.TOO_MANY);
        tally.close("a");
        assertThat(tally.open("a")).isEqualTo(ConnectionCounts.Verdict.COUNTED);
        assertThat(tally.open()).isEqualTo(3);
    }

    @Test
    void aBodyMayTakeAsLongAsTheSlowestRateGivesIt() {
        Limits limits =
                new Limits(
                        1,
                        1,
                        1,
                        1,
                        1,
                        1,
                        4096,
                        Duration.ofSeconds(10),
                        Duration.ZERO,
                        Duration.ZERO);
        assertThat(limits.forBytes(0)).isEqualTo(Duration.ofSeconds(10));
        assertThat(limits.forBytes(524_288)).isEqualTo(Duration.ofSeconds(138));
    }
}
