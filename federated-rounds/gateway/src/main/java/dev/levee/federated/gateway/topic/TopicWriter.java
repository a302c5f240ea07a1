package dev.levee.federated.gateway.topic;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.KeyDirectory;

import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes the frames of devices to the topics on their behalf, and reports when the brokers have
 * stored them.
 */
public final class TopicWriter implements AutoCloseable {
    /** Short timeouts, so that a device soon learns that no broker answers, and sends again. */
    private static final Map<String, String> SOON =
            Map.of(
                    ProducerConfig.MAX_BLOCK_MS_CONFIG, "5000",
                    ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "10000",
                    ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "20000");

    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final Topics topics;
    private final Producer<byte[], byte[]> producer;

    /**
     * Creates a writer.
     *
     * @throws IllegalArgumentException if the address or a client property is wrong; one sentence
     */
    public TopicWriter(KafkaAddress address, Topics topics) {
        this(topics, KafkaClients.producer(soon(address)));
    }

    /** Creates a writer with a producer, which it closes. */
    public TopicWriter(Topics topics, Producer<byte[], byte[]> producer) {
        this.topics = topics;
        this.producer = producer;
    }

    private static KafkaAddress soon(KafkaAddress address) {
        Map<String, String> client = new TreeMap<>(SOON);
        client.putAll(address.client());
        return new KafkaAddress(address.bootstrapServers(), client);
    }

    /**
     * Writes a block of a gradient. May block for some seconds if no broker answers.
     *
     * @param done called on any thread when all in-sync replicas have the record, or never will
     * @throws org.apache.kafka.common.errors.TimeoutException if no broker answers
     */
    public void gradient(int device, int block, byte[] frame, Callback done) {
        write(topics.gradients(), device, block, frame, done);
    }

    /** Writes a message of a secure sum, like {@link #gradient}. */
    public void sum(int device, byte[] frame, Callback done) {
        write(topics.gradients(), device, 0, frame, done);
    }

    /** Writes scores, like {@link #gradient}. */
    public void scores(int device, byte[] frame, Callback done) {
        write(topics.scores(), device, 0, frame, done);
    }

    private void write(String topic, int device, int block, byte[] frame, Callback done) {
        int partitions = producer.partitionsFor(topic).size();
        byte[] key = KeyDirectory.name(device).getBytes(StandardCharsets.UTF_8);
        producer.send(
                new ProducerRecord<>(topic, Topics.partition(block, partitions), key, frame), done);
    }

    @Override
    public void close() {
        producer.close(CLOSE);
    }
}
