package dev.levee.operators.flink.internal.kafka;

import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.job.KafkaEdge;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.securesum.SumMessage;

import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

import java.time.Duration;

/**
 * Publishes messages of secure sums to devices outside the job. A message to one device goes to its
 * partition, and a message to all devices goes to each partition. Transactions are not needed,
 * because a device answers only the first of several messages, also if they come from a replaced
 * job.
 */
final class SumNotices implements AutoCloseable {
    private static final byte[] NO_KEY = null;

    private final KafkaEdge edge;
    private final Producer<byte[], byte[]> producer;
    private volatile Exception failure;

    SumNotices(KafkaEdge edge) {
        this.edge = edge;
        this.producer = KafkaClients.producer(edge.kafka());
    }

    /**
     * Publishes a notice asynchronously.
     *
     * @throws IllegalStateException if an earlier one was not published
     */
    void tell(SumNotice notice) {
        check();
        byte[] frame = Frames.of(edge.run(), notice, edge.signing());
        if (notice.message() instanceof SumMessage.Delivery to) {
            send(Topics.partition(to.device(), edge.partitions()), frame);
            return;
        }
        for (int partition = 0; partition < edge.partitions(); partition++) {
            send(partition, frame);
        }
    }

    private void send(int partition, byte[] frame) {
        producer.send(
                new ProducerRecord<>(edge.topics().sums(), partition, NO_KEY, frame),
                (metadata, cause) -> failure = cause == null ? failure : cause);
    }

    /**
     * Waits until all notices are published, because a restarted job repeats only those of the open
     * round in its checkpoint.
     *
     * @throws IllegalStateException if one was not published
     */
    void flush() {
        producer.flush();
        check();
    }

    private void check() {
        if (failure != null) {
            throw new IllegalStateException(
                    "devices cannot be told what belongs to a secure sum", failure);
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
