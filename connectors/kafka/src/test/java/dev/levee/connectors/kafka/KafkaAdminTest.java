package dev.levee.connectors.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** What a broker answers is made up: no real one can be told when to know a topic. */
class KafkaAdminTest {
    private static final KafkaAddress ADDRESS = new KafkaAddress("127.0.0.1:1", Map.of());

    private final KafkaAdmin kafka =
            new KafkaAdmin(
                    ADDRESS,
                    Admin.create(
                            Map.of(
                                    AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                                    ADDRESS.bootstrapServers())));
    private final AtomicInteger asked = new AtomicInteger();

    @AfterEach
    void close() {
        kafka.close();
    }

    @Test
    void asksAgainWhileANewTopicIsUnknown() {
        Long answer =
                kafka.getOfNew(
                        admin ->
                                asked.incrementAndGet() < 3
                                        ? failed(new UnknownTopicOrPartitionException("which?"))
                                        : KafkaFuture.completedFuture(7L));
        assertThat(answer).isEqualTo(7L);
        assertThat(asked).hasValue(3);
    }

    @Test
    void doesNotAskAgainWhenAnotherThingIsWrong() {
        assertThatThrownBy(
                        () ->
                                kafka.<Long>getOfNew(
                                        admin -> {
                                            asked.incrementAndGet();
                                            return failed(new InvalidTopicException("bad name"));
                                        }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--bootstrap-servers 127.0.0.1:1: bad name");
        assertThat(asked).hasValue(1);
    }

    private static KafkaFuture<Long> failed(RuntimeException cause) {
        KafkaFutureImpl<Long> answer = new KafkaFutureImpl<>();
        answer.completeExceptionally(cause);
        return answer;
    }
}
