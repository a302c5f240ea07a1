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
 * Publishes what devices outside the job are told in secure sums: what is for one device, on its
 * partition; what is for all, on each. In no transaction, for a device that is told twice, or by a
 * job that has been replaced, answers the first word only.
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
     * Publishes a notice, sooner or later.
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
     * Waits until all notices are published: a job that starts again repeats those of the open
     * round, from its checkpoint on.
     *
     * @throws IllegalStateException if one was not
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
