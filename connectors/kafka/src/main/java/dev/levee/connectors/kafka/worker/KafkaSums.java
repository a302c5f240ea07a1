package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.Frame;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Secure sums over the topics themselves: a device says things beside its gradients, and reads its
 * partition of the topic of sums, on a thread of its own.
 */
final class KafkaSums implements SumConnection {
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration CLOSE = Duration.ofMillis(500);
    private static final long PAUSE_SECONDS = 1;

    /**
     * What is told of a version is appended after it, but the brokers that stamp them may differ by
     * so much.
     */
    private static final long CLOCKS_DIFFER_MILLIS = 10_000;

    private final KafkaAddress address;
    private final String topic;
    private final int worker;
    private final FrameSink said;
    private final Output output;
    private final CountDownLatch closed = new CountDownLatch(1);
    private Thread thread;

    /** The next record's offset, −1 before the first. */
    private long next = -1;

    /**
     * A connection that reads nothing yet.
     *
     * @param said takes what the device says; closed with the connection
     */
    KafkaSums(KafkaAddress address, Topics topics, int worker, FrameSink said, Output output) {
        this.address = address;
        this.topic = topics.sums();
        this.worker = worker;
        this.said = said;
        this.output = output;
    }

    /** What later rounds are told comes behind what the first one is. */
    @Override
    public void follow(long run, long version, long since) {
        if (thread == null) {
            thread = new Thread(() -> read(Math.max(0, since - CLOCKS_DIFFER_MILLIS)), "sums");
            thread.setDaemon(true);
            thread.start();
        }
    }

    @Override
    public void say(Frame frame, byte[] bytes, java.util.function.Consumer<RuntimeException> done) {
        said.send(frame.block(), bytes, done);
    }

    private void read(long since) {
        try {
            while (closed.getCount() > 0) {
                try {
                    read(KafkaClients.consumer(address), since);
                } catch (WakeupException | InterruptException e) {
                    return;
                } catch (KafkaException e) {
                    output.waiting("topic %s cannot be read now: %s".formatted(topic, e));
                    closed.await(PAUSE_SECONDS, TimeUnit.SECONDS);
                }
            }
        } catch (InterruptedException e) {
            // close() interrupts this thread, which then ends.
        } catch (RuntimeException e) {
            output.failed(e);
        }
    }

    private void read(Consumer<byte[], byte[]> consumer, long since) {
        try {
            int partitions = consumer.partitionsFor(topic, PATIENCE).size();
            if (partitions == 0) {
                throw new KafkaException("there is no such topic");
            }
            TopicPartition own = new TopicPartition(topic, Topics.partition(worker, partitions));
            consumer.assign(List.of(own));
            if (next < 0) {
                OffsetAndTimestamp first =
                        consumer.offsetsForTimes(Map.of(own, since), PATIENCE).get(own);
                next =
                        first == null
                                ? consumer.endOffsets(List.of(own), PATIENCE).get(own)
                                : first.offset();
            }
            consumer.seek(own, next);
            while (closed.getCount() > 0) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    output.told(record.value());
                    next = record.offset() + 1;
                }
            }
        } finally {
            Thread.interrupted(); // a consumer that an interrupted thread closes leaves sessions
            consumer.close(CloseOptions.timeout(CLOSE));
        }
    }

    @Override
    public void close() {
        closed.countDown();
        if (thread != null) {
            thread.interrupt();
        }
        said.close();
    }
}
