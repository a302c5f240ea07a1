package dev.levee.operators.flink.internal.kafka;

import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.job.KafkaEdge;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Reads the scores topic from its beginning, on its own thread. If a broker is not available, the
 * reader retries, and training continues. The reader ends if no client accepts the address or its
 * properties.
 */
final class ScoresReader implements AutoCloseable {
    /** Receives records on the reader's thread, which waits for the call to return. */
    interface Output {
        /**
         * Passes on records that have arrived, possibly none.
         *
         * @param fresh false for records that existed when the reader started
         */
        void records(List<ConsumerRecord<byte[], byte[]>> records, boolean fresh)
                throws InterruptedException;

        /** Called instead of further records if the reader has ended for good. */
        void failed(RuntimeException cause);
    }

    private static final Logger LOG = LoggerFactory.getLogger(ScoresReader.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration CLOSE = Duration.ofMillis(500);
    private static final long PAUSE_SECONDS = 1;

    private final KafkaEdge edge;
    private final TopicPartition partition;
    private final Output output;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "scores");

    /** First offset of new records; −1 until a broker has answered. */
    private long end = -1;

    /** The next record's offset. */
    private long next;

    ScoresReader(KafkaEdge edge, Output output) {
        this.edge = edge;
        this.partition = new TopicPartition(edge.topics().scores(), 0);
        this.output = output;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (closed.getCount() > 0) {
                try {
                    follow();
                } catch (WakeupException | InterruptException e) {
                    return;
                } catch (KafkaException e) {
                    LOG.warn("scores on {} cannot be read now: {}", partition, e.toString());
                    output.records(List.of(), true);
                    closed.await(PAUSE_SECONDS, TimeUnit.SECONDS);
                }
            }
        } catch (InterruptedException e) {
            // close() interrupts this thread, which then ends.
        } catch (IllegalArgumentException e) {
            output.failed(e);
        }
    }

    private void follow() throws InterruptedException {
        Consumer<byte[], byte[]> consumer = KafkaClients.reconnected(edge.kafka());
        try {
            List<TopicPartition> only = List.of(partition);
            consumer.assign(only);
            if (end < 0) {
                end = consumer.endOffsets(only, PATIENCE).get(partition);
            }
            consumer.seek(partition, next);
            while (closed.getCount() > 0) {
                List<ConsumerRecord<byte[], byte[]>> old = new ArrayList<>();
                List<ConsumerRecord<byte[], byte[]>> fresh = new ArrayList<>();
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    (record.offset() < end ? old : fresh).add(record);
                    next = record.offset() + 1;
                }
                if (!old.isEmpty()) {
                    output.records(old, false);
                }
                output.records(fresh, true);
            }
        } finally {
            // If an interrupted thread closes a consumer, sessions stay open and the consumer logs
            // that.
            Thread.interrupted();
            consumer.close(CloseOptions.timeout(CLOSE));
        }
    }

    @Override
    public void close() {
        closed.countDown();
        thread.interrupt();
    }
}
