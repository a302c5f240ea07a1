package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.KafkaAdmin;
import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.versions.ModelReader;
import dev.levee.connectors.kafka.versions.ModelSource;
import dev.levee.connectors.kafka.versions.WindowReader;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.ServerRing;

import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A worker's direct connection to the brokers.
 *
 * @param address the brokers
 * @param topics the topics of the run
 */
public record KafkaConnection(KafkaAddress address, Topics topics) implements Connection {
    private static final Duration CLOSE = Duration.ofSeconds(1);

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the address or a client property is wrong; one sentence
     */
    @Override
    public ModelSource models(ServerRing ring, int byzantine, ModelReader.Output output) {
        return new ModelReader(address, topics, ring, byzantine, output);
    }

    @Override
    public FrameSink gradients(int worker) {
        return new TopicSink(topics.gradients(), worker);
    }

    @Override
    public FrameSink scores(int worker) {
        return new TopicSink(topics.scores(), worker);
    }

    @Override
    public SumConnection sums(int worker, SumConnection.Output output) {
        return new KafkaSums(address, topics, worker, gradients(worker), output);
    }

    @Override
    public void sent(long since, Duration patience, Consumer<byte[]> output) {
        String topic = topics.gradients();
        try (org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer =
                KafkaClients.consumer(address)) {
            List<TopicPartition> partitions =
                    consumer.partitionsFor(topic, patience).stream()
                            .map(each -> new TopicPartition(topic, each.partition()))
                            .toList();
            consumer.assign(partitions);
            Map<TopicPartition, Long> to = consumer.endOffsets(partitions, patience);
            Map<TopicPartition, Long> times = new HashMap<>();
            partitions.forEach(each -> times.put(each, since));
            Map<TopicPartition, Long> from = new HashMap<>(to);
            for (Map.Entry<TopicPartition, OffsetAndTimestamp> first :
                    consumer.offsetsForTimes(times, patience).entrySet()) {
                if (first.getValue() != null) {
                    from.put(first.getKey(), first.getValue().offset());
                }
            }
            new WindowReader(consumer, patience)
                    .read(from, to, record -> output.accept(record.value()));
        }
    }

    /** A topic that a worker writes to. */
    private final class TopicSink implements FrameSink {
        private final Producer<byte[], byte[]> producer = KafkaClients.producer(address);
        private final String topic;
        private final byte[] key;

        private TopicSink(String topic, int worker) {
            this.topic = topic;
            this.key = KeyDirectory.name(worker).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void send(int block, byte[] frame, Consumer<RuntimeException> done) {
            int partition = Topics.partition(block, producer.partitionsFor(topic).size());
            producer.send(
                    new ProducerRecord<>(topic, partition, key, frame),
                    (metadata, failure) -> done.accept(failure == null ? null : told(failure)));
        }

        private RuntimeException told(Exception failure) {
            return failure instanceof RetriableException again
                    ? again
                    : KafkaAdmin.failed(address, failure);
        }

        @Override
        public void close() {
            producer.close(CLOSE);
        }
    }
}
