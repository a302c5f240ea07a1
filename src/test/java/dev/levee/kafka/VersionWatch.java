package dev.levee.kafka;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.wire.Frame;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Follows the committed versions of a model from the first one on, as any consumer may. */
final class VersionWatch implements AutoCloseable {
    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final Thread thread;
    private final Map<Integer, List<Long>> versions = new TreeMap<>();
    private volatile boolean ended;

    private VersionWatch(KafkaAddress kafka, String topic) {
        this.consumer = KafkaClients.consumer(kafka);
        this.topic = topic;
        this.thread = new Thread(this::follow, "versions of " + topic);
    }

    /** Starts at the beginning of a topic, once there is one. */
    static VersionWatch start(KafkaAddress kafka, String topic) {
        VersionWatch watch = new VersionWatch(kafka, topic);
        watch.thread.start();
        return watch;
    }

    private void follow() {
        try {
            List<TopicPartition> partitions = List.of();
            while (partitions.isEmpty() && !ended) {
                partitions =
                        consumer.listTopics().getOrDefault(topic, List.of()).stream()
                                .map(info -> new TopicPartition(topic, info.partition()))
                                .toList();
            }
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (!ended) {
                for (ConsumerRecord<byte[], byte[]> record :
                        consumer.poll(Duration.ofMillis(200))) {
                    Frame frame = Frame.read(record.value()).orElseThrow();
                    add(frame.block(), frame.round());
                }
            }
        } catch (WakeupException e) {
            ended = true;
        } finally {
            consumer.close();
        }
    }

    private synchronized void add(int block, long version) {
        versions.computeIfAbsent(block, b -> new ArrayList<>()).add(version);
    }

    /** The newest version seen, −1 if there is none. */
    synchronized long newest() {
        return versions.values().stream()
                .mapToLong(each -> each.get(each.size() - 1))
                .max()
                .orElse(-1);
    }

    /** The versions of each block in the order in which they came. */
    synchronized Map<Integer, List<Long>> versions() {
        Map<Integer, List<Long>> copy = new TreeMap<>();
        versions.forEach((block, seen) -> copy.put(block, List.copyOf(seen)));
        return copy;
    }

    @Override
    public void close() throws InterruptedException {
        ended = true;
        consumer.wakeup();
        thread.join();
    }
}
