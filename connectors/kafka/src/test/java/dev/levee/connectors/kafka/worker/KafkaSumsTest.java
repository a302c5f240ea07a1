package dev.levee.connectors.kafka.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.Topics;

import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

class KafkaSumsTest {
    private static final TopicPartition ONLY = new TopicPartition("run.sums", 0);

    @Test
    void readsARecordThatIsAppendedWhileItLooksForTheBeginning() {
        // Each answer is followed by a new record; none is as new as the version.
        var consumer =
                new MockConsumer<byte[], byte[]>("earliest") {
                    private long end = 5;

                    @Override
                    public Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
                            Map<TopicPartition, Long> times, Duration timeout) {
                        end++;
                        return Map.of();
                    }

                    @Override
                    public Map<TopicPartition, Long> endOffsets(
                            Collection<TopicPartition> partitions, Duration timeout) {
                        return Map.of(ONLY, end++);
                    }
                };
        KafkaSums sums =
                new KafkaSums(
                        new KafkaAddress("127.0.0.1:1", Map.of()),
                        new Topics("run"),
                        1,
                        null,
                        null);
        assertThat(sums.begin(consumer, List.of(ONLY), Duration.ZERO)).isEqualTo(Map.of(ONLY, 5L));
    }
}
