package dev.levee.connectors.kafka;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Map;

class KafkaClientsTest {
    @Test
    void aUserCannotMakeProducersUnreliable() {
        KafkaAddress address =
                new KafkaAddress("127.0.0.1:1", Map.of("acks", "1", "enable.idempotence", "false"));
        assertThatCode(
                        () -> {
                            KafkaClients.producer(address).close(Duration.ZERO);
                            KafkaClients.transactional(address, "levee.run").close(Duration.ZERO);
                        })
                .doesNotThrowAnyException();
    }
}
