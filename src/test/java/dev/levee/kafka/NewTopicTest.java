package dev.levee.kafka;

import dev.levee.jobs.cluster.LocalKafka;

import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;

/** A broker acknowledges a topic a while before it takes records for its last partition. */
@Tag("cluster")
class NewTopicTest {
    private static final int PARTITIONS = 100;

    /** More than one fills a batch, so that a partition has several under way. */
    private static final int BYTES = 20_000;

    @Test
    void nothingIsLostThatIsProducedRightAfterItIsMade() throws Exception {
        LocalKafka broker = TestBroker.emptied();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            TestBroker.create(broker, new NewTopic("new", PARTITIONS, (short) 1));
            List<Future<?>> sent = new ArrayList<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                for (int record = 0; record < 3; record++) {
                    sent.add(
                            producer.send(
                                    new ProducerRecord<>("new", partition, null, new byte[BYTES])));
                }
            }
            for (Future<?> each : sent) {
                each.get();
            }
        }
    }
}
