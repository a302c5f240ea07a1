package dev.levee.connectors.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

class TopicReaderTest {
    /** What a listener hears. */
    private static final class Heard implements TopicReader.Listener {
        private final LinkedBlockingQueue<String> words = new LinkedBlockingQueue<>();

        @Override
        public Map<TopicPartition, Long> begin(
                Consumer<byte[], byte[]> consumer, List<TopicPartition> all, Duration patience) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void take(Iterable<ConsumerRecord<byte[], byte[]>> records) {
            words.add("records");
        }

        @Override
        public void waiting(String why) {
            words.add("waiting: " + why);
        }

        @Override
        public void failed(RuntimeException cause) {
            words.add("failed: " + cause.getMessage());
        }
    }

    private static String heard(KafkaAddress address) throws InterruptedException {
        Heard heard = new Heard();
        try (TopicReader reader = TopicReader.start(address, "run.sums", "sums", heard)) {
            assertThat(reader).isNotNull();
            return heard.words.poll(5, TimeUnit.MINUTES);
        }
    }

    @Test
    void waitsWhileNoHostCanBeResolved() throws InterruptedException {
        assertThat(heard(new KafkaAddress("no..host:9092", Map.of())))
                .startsWith("waiting: topic run.sums cannot be read now: ");
    }

    @Test
    void endsIfAPropertyIsWrong() throws InterruptedException {
        assertThat(heard(new KafkaAddress("127.0.0.1:1", Map.of("max.poll.records", "none"))))
                .startsWith("failed: --kafka-config: Invalid value none");
    }
}
