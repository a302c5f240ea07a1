package dev.levee.connectors.kafka;

import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import java.util.Properties;

/**
 * Creates clients of a Kafka cluster. The settings that correctness depends on are fixed here;
 * users may change settings that affect only speed.
 */
public final class KafkaClients {
    /** Room for three blocks of each partition in one fetch: a block has up to 525 KB. */
    private static final int PARTITION_FETCH_BYTES = 2 << 20;

    private static final int FETCH_BYTES = 16 << 20;

    private KafkaClients() {}

    /**
     * Creates a consumer of committed records, without a group. The caller assigns partitions and
     * offsets.
     *
     * @throws IllegalArgumentException if the address or a client property is wrong; one sentence
     */
    public static Consumer<byte[], byte[]> consumer(KafkaAddress address) {
        Properties properties = address.properties();
        properties.put(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        properties.putIfAbsent(
                ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, PARTITION_FETCH_BYTES);
        properties.putIfAbsent(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        try {
            return new KafkaConsumer<>(
                    properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        } catch (KafkaException e) {
            throw KafkaAdmin.misconfigured(address, e);
        }
    }

    /**
     * Creates an idempotent producer: records arrive once and in order, and are acknowledged by all
     * in-sync replicas.
     *
     * @throws IllegalArgumentException if the address or a client property is wrong; one sentence
     */
    public static Producer<byte[], byte[]> producer(KafkaAddress address) {
        return reliable(address, address.properties());
    }

    /**
     * Creates an idempotent producer of transactions. Its {@code initTransactions} fences earlier
     * ones.
     *
     * @param id the transactional id
     * @throws IllegalArgumentException if the address or a client property is wrong; one sentence
     */
    public static Producer<byte[], byte[]> transactional(KafkaAddress address, String id) {
        Properties properties = address.properties();
        properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, "120000");
        // A broker that restarts within this time loses no round.
        properties.putIfAbsent(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, "600000");
        properties.putIfAbsent(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "300000");
        properties.putIfAbsent(ProducerConfig.BUFFER_MEMORY_CONFIG, "67108864");
        // A state with the optimizer's vectors is larger than a block; its topic accepts this size.
        properties.putIfAbsent(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, "4194304");
        return reliable(address, properties);
    }

    private static Producer<byte[], byte[]> reliable(KafkaAddress address, Properties properties) {
        properties.put(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        try {
            return new KafkaProducer<>(
                    properties, new ByteArraySerializer(), new ByteArraySerializer());
        } catch (KafkaException e) {
            throw KafkaAdmin.misconfigured(address, e);
        }
    }
}
