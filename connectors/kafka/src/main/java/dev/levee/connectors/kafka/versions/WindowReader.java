package dev.levee.connectors.kafka.versions;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads windows of a topic's partitions. Offsets without a record are skipped. */
public final class WindowReader {
    private static final Duration POLL = Duration.ofMillis(100);

    private final Consumer<byte[], byte[]> consumer;
    private final Duration patience;

    /**
     * Creates a reader.
     *
     * @param patience maximum time without any record
     */
    public WindowReader(Consumer<byte[], byte[]> consumer, Duration patience) {
        this.consumer = consumer;
        this.patience = patience;
    }

    /** Receives records. */
    public interface Output {
        void add(ConsumerRecord<byte[], byte[]> record);
    }

    /** Reads the records from {@code from} (inclusive) to {@code to} (exclusive). */
    public void read(Map<TopicPartition, Long> from, Map<TopicPartition, Long> to, Output output) {
        consumer.resume(from.keySet());
        from.forEach(consumer::seek);
        Map<TopicPartition, Long> left = new HashMap<>(to);
        Map<TopicPartition, Long> before = Map.of();
        long heard = System.nanoTime();
        while (true) {
            Map<TopicPartition, Long> positions = new HashMap<>();
            left.keySet().forEach(each -> positions.put(each, consumer.position(each, patience)));
            List<TopicPartition> done =
                    left.keySet().stream()
                            .filter(each -> positions.get(each) >= left.get(each))
                            .toList();
            consumer.pause(done);
            left.keySet().removeAll(done);
            if (left.isEmpty()) {
                return;
            }
            if (!positions.equals(before)) {
                heard = System.nanoTime();
            } else if (System.nanoTime() - heard > patience.toNanos()) {
                throw new TimeoutException();
            }
            before = positions;
            ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
            for (TopicPartition partition : records.partitions()) {
                long end = to.get(partition);
                for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
                    if (record.offset() < end) {
                        output.add(record);
                    }
                }
            }
        }
    }
}
