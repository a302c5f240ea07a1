package dev.levee.connectors.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A consumer of a log that can be read again, where offsets may hold no record, as in Kafka. */
public final class LogConsumer extends MockConsumer<byte[], byte[]> {
    private static final int RECORDS_PER_POLL = 5;

    private final String topic;
    private final List<TreeMap<Long, ConsumerRecord<byte[], byte[]>>> logs = new ArrayList<>();
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    private int polled;
    private boolean silent;

    public LogConsumer(String topic, int partitions) {
        super("earliest");
        this.topic = topic;
        List<PartitionInfo> infos = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            logs.add(new TreeMap<>());
            infos.add(new PartitionInfo(topic, partition, Node.noNode(), new Node[0], new Node[0]));
            updateBeginningOffsets(Map.of(at(partition), 0L));
            end(partition, 0);
        }
        updatePartitions(topic, infos);
    }

    public TopicPartition at(int partition) {
        return new TopicPartition(topic, partition);
    }

    /** Appends a record; its timestamp is its offset. */
    public void append(int partition, byte[] value) {
        long offset = ends.get(at(partition));
        logs.get(partition)
                .put(
                        offset,
                        new ConsumerRecord<>(
                                topic,
                                partition,
                                offset,
                                offset,
                                TimestampType.LOG_APPEND_TIME,
                                -1,
                                value.length,
                                null,
                                value,
                                new RecordHeaders(),
                                Optional.empty()));
        end(partition, offset + 1);
    }

    /** Appends offsets without a record, as control records and aborted transactions leave them. */
    public void gap(int partition, int offsets) {
        end(partition, ends.get(at(partition)) + offsets);
    }

    private void end(int partition, long offset) {
        ends.put(at(partition), offset);
        updateEndOffsets(Map.of(at(partition), offset));
    }

    /** Number of records handed out so far. */
    public int polled() {
        return polled;
    }

    /** From now on nothing arrives. */
    public void silence() {
        silent = true;
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        if (silent) {
            return ConsumerRecords.empty();
        }
        for (TopicPartition partition : assignment()) {
            if (!paused().contains(partition)) {
                logs.get(partition.partition()).tailMap(position(partition)).values().stream()
                        .limit(RECORDS_PER_POLL)
                        .forEach(this::addRecord);
            }
        }
        ConsumerRecords<byte[], byte[]> records = super.poll(Duration.ZERO);
        polled += records.count();
        for (TopicPartition partition : assignment()) {
            if (!paused().contains(partition)
                    && logs.get(partition.partition()).tailMap(position(partition)).isEmpty()) {
                seek(partition, ends.get(partition));
            }
        }
        return records;
    }
}
