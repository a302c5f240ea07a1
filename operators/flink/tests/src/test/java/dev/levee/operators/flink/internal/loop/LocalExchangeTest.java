package dev.levee.operators.flink.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LocalExchangeTest {
    private static final long RUN = 77;

    @AfterEach
    void nothingIsLeft() {
        assertThat(LocalExchange.of(RUN)).isNull();
    }

    @Test
    void aReaderGetsTheObjectOnce() {
        try (LocalExchange.Reader shard = LocalExchange.reader("job", RUN, "shards")) {
            shard.read(3);
            LocalExchange exchange = LocalExchange.of(RUN);
            assertThat(exchange.reads("shards", 3)).isTrue();
            assertThat(exchange.reads("shards", 4)).isFalse();
            assertThat(exchange.reads("adversary", 3)).isFalse();

            Object record = new Object();
            long handle = exchange.put(record, 1);
            assertThat(LocalExchange.take(exchange.id(), handle)).isSameAs(record);
            assertThat(exchange.held()).isZero();
            assertThatThrownBy(() -> LocalExchange.take(exchange.id(), handle))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is not in this process");
        }
    }

    @Test
    void aBroadcastIsKeptUntilTheLastSubtaskHasTakenIt() {
        try (LocalExchange.Reader first = LocalExchange.reader("job", RUN, "workers");
                LocalExchange.Reader second = LocalExchange.reader("job", RUN, "workers")) {
            LocalExchange exchange = LocalExchange.of(RUN);
            assertThat(exchange.broadcastReaders("workers")).isZero();
            first.readBroadcast(0, 2);
            // The other subtask may be in another process.
            assertThat(exchange.broadcastReaders("workers")).isZero();
            second.readBroadcast(1, 2);
            assertThat(exchange.broadcastReaders("workers")).isEqualTo(2);

            long handle = exchange.put("model", 2);
            assertThat(LocalExchange.take(exchange.id(), handle)).isEqualTo("model");
            assertThat(exchange.held()).isOne();
            assertThat(LocalExchange.take(exchange.id(), handle)).isEqualTo("model");
            assertThat(exchange.held()).isZero();
        }
    }

    @Test
    void whatAFailedAttemptLeftOnItsWayIsGone() {
        LocalExchange.Reader failed = LocalExchange.reader("job", RUN, "shards");
        failed.read(0);
        LocalExchange before = LocalExchange.of(RUN);
        long handle = before.put("gradient", 1);
        failed.close();
        assertThat(LocalExchange.of(RUN)).isNull();

        try (LocalExchange.Reader next = LocalExchange.reader("job", RUN, "shards")) {
            next.read(0);
            assertThat(LocalExchange.of(RUN)).isNotSameAs(before);
            assertThat(LocalExchange.of(RUN).held()).isZero();
            assertThatThrownBy(() -> LocalExchange.take(before.id(), handle))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aReaderThatHasClosedIsNotSentTo() {
        try (LocalExchange.Reader stays = LocalExchange.reader("job", RUN, "shards")) {
            stays.read(0);
            LocalExchange.Reader goes = LocalExchange.reader("job", RUN, "shards");
            goes.read(1);
            goes.close();
            assertThat(LocalExchange.of(RUN).reads("shards", 0)).isTrue();
            assertThat(LocalExchange.of(RUN).reads("shards", 1)).isFalse();
        }
    }

    @Test
    void twoJobsOfOneRunExchangeNothing() {
        try (LocalExchange.Reader one = LocalExchange.reader("job", RUN, "shards")) {
            one.read(0);
            LocalExchange exchange = LocalExchange.of(RUN);
            long handle = exchange.put("gradient", 1);
            try (LocalExchange.Reader other = LocalExchange.reader("other", RUN, "shards")) {
                other.read(0);
                assertThat(LocalExchange.of(RUN)).isNull();
                // What is on its way arrives.
                assertThat(LocalExchange.take(exchange.id(), handle)).isEqualTo("gradient");
            }
            assertThat(LocalExchange.of(RUN)).isSameAs(exchange);
        }
    }
}
