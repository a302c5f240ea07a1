package dev.levee.jobs.internal.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.kafka.TestBroker;

import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

@Tag("cluster")
class TopicSizesTest {
    @Test
    void addsUpPartitions() throws Exception {
        LocalKafka broker = TestBroker.emptied();
        assertThat(TopicSizes.of(broker)).isEmpty();
        TestBroker.create(
                broker, new NewTopic("models", 3, (short) 1), new NewTopic("empty", 2, (short) 1));
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        Map.of("bootstrap.servers", broker.bootstrapServers()),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            for (int partition = 0; partition < 3; partition++) {
                producer.send(new ProducerRecord<>("models", partition, null, new byte[1000]));
            }
        }
        List<TopicSizes> sizes = TopicSizes.of(broker);
        assertThat(sizes).extracting(TopicSizes::name).containsExactly("empty", "models");
        assertThat(sizes.get(0)).isEqualTo(new TopicSizes("empty", 2, 0, 0));
        assertThat(sizes.get(1).partitions()).isEqualTo(3);
        assertThat(sizes.get(1).endOffsets()).isEqualTo(3);
        assertThat(sizes.get(1).bytes()).isBetween(3000L, 3500L);
    }
}
