package dev.levee.benchmarks.siege;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.wire.Frame;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Follows the committed versions of a model from the first one, like any consumer. Checks that each
 * version appears once, in order and without gaps.
 */
final class VersionWatch implements AutoCloseable {
    private final KafkaAddress kafka;
    private final String topic;
    private final Findings findings;
    private final AtomicLong progress;
    private final Thread thread;
    private final Map<Integer, Long> newest = new HashMap<>();
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    private volatile boolean anew;
    private volatile boolean ended;

    private VersionWatch(KafkaAddress kafka, String topic, Findings findings, AtomicLong progress) {
        this.kafka = kafka;
        this.topic = topic;
        this.findings = findings;
        this.progress = progress;
        this.thread = new Thread(this::follow, "versions of " + topic);
    }

    /**
     * Starts at the beginning of a topic, once it exists.
     *
     * @param progress counts the versions
     */
    static VersionWatch start(
            KafkaAddress kafka, String topic, Findings findings, AtomicLong progress) {
        VersionWatch watch = new VersionWatch(kafka, topic, findings, progress);
        watch.thread.setDaemon(true);
        watch.thread.start();
        return watch;
    }

    private void follow() {
        while (!ended) {
            anew = false;
            try (Consumer<byte[], byte[]> consumer = KafkaClients.consumer(kafka)) {
                assign(consumer);
                while (!ended && !anew) {
                    for (ConsumerRecord<byte[], byte[]> record :
                            consumer.poll(Duration.ofMillis(200))) {
                        take(record);
                    }
                }
            } catch (KafkaException e) {
                anew = true; // the broker is unreachable: a new consumer continues at this position
            }
        }
    }

    private void assign(Consumer<byte[], byte[]> consumer) {
        List<TopicPartition> partitions = List.of();
        while (partitions.isEmpty() && !ended) {
            partitions =
                    consumer.listTopics().getOrDefault(topic, List.of()).stream()
                            .map(info -> new TopicPartition(topic, info.partition()))
                            .toList();
        }
        consumer.assign(partitions);
        for (TopicPartition partition : partitions) {
            consumer.seek(partition, positions.getOrDefault(partition, 0L));
        }
    }

    private synchronized void take(ConsumerRecord<byte[], byte[]> record) {
        positions.put(new TopicPartition(topic, record.partition()), record.offset() + 1);
        Frame frame = Frame.read(record.value()).orElse(null);
        if (frame == null) {
            findings.broken("a record of " + topic + " is no frame");
            return;
        }
        long before = newest.getOrDefault(frame.block(), -1L);
        if (frame.round() != before + 1) {
            findings.broken(
                    "version %d of %s came behind version %d"
                            .formatted(frame.round(), topic, before));
        }
        newest.put(frame.block(), frame.round());
        progress.incrementAndGet();
    }

    /** The newest version of the first block, −1 if there is none. */
    synchronized long newest() {
        return newest.getOrDefault(0, -1L);
    }

    /** Closes the consumer and continues with a new one at the same position. */
    void recreate() {
        anew = true;
    }

    @Override
    public void close() {
        ended = true;
    }
}
