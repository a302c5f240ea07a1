package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.TopicReader;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.Frame;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Connects a device directly to the topics for secure sums. The device sends messages on the topic
 * of gradients, and reads its partition of the topic of sums.
 */
final class KafkaSums implements SumConnection, TopicReader.Listener {
    /**
     * Tolerated difference between brokers' clocks, which set the timestamps of a version and of
     * the messages about it.
     */
    private static final long CLOCKS_DIFFER_MILLIS = 10_000;

    private final KafkaAddress address;
    private final String topic;
    private final int worker;
    private final FrameSink said;
    private final Output output;
    private long since;
    private TopicReader reader;

    /**
     * Creates a connection that reads nothing yet.
     *
     * @param said sends the device's messages; closed with this connection
     */
    KafkaSums(KafkaAddress address, Topics topics, int worker, FrameSink said, Output output) {
        this.address = address;
        this.topic = topics.sums();
        this.worker = worker;
        this.said = said;
        this.output = output;
    }

    /**
     * {@inheritDoc} One reader suffices, because records of later rounds follow the records of the
     * first round.
     */
    @Override
    public void follow(long run, long version, long published) {
        if (reader == null) {
            since = Math.max(0, published - CLOCKS_DIFFER_MILLIS);
            reader = TopicReader.start(address, topic, "sums", this);
        }
    }

    @Override
    public void say(Frame frame, byte[] bytes, java.util.function.Consumer<RuntimeException> done) {
        said.send(frame.block(), bytes, done);
    }

    @Override
    public void close() {
        if (reader != null) {
            reader.close();
        }
        said.close();
    }

    /** {@inheritDoc} This is the device's partition, from the publication of the first version. */
    @Override
    public Map<TopicPartition, Long> begin(
            Consumer<byte[], byte[]> consumer, List<TopicPartition> all, Duration patience) {
        TopicPartition own = new TopicPartition(topic, Topics.partition(worker, all.size()));
        // Asks for the end first, so that no record lies between the two answers.
        Map<TopicPartition, Long> end = consumer.endOffsets(List.of(own), patience);
        OffsetAndTimestamp first = consumer.offsetsForTimes(Map.of(own, since), patience).get(own);
        return first == null ? end : Map.of(own, first.offset());
    }

    @Override
    public void take(Iterable<ConsumerRecord<byte[], byte[]>> records) {
        records.forEach(record -> output.told(record.value()));
    }

    @Override
    public void waiting(String why) {
        output.waiting(why);
    }

    @Override
    public void failed(RuntimeException cause) {
        output.failed(cause);
    }
}
