package dev.levee.connectors.kafka;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Reads a topic on its own thread. After a connection is lost, it reconnects and continues at the
 * same offsets.
 */
public final class TopicReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration CLOSE = Duration.ofMillis(500);
    private static final long PAUSE_SECONDS = 1;

    /** Selects the partitions to read, and receives the records; called on the reader's thread. */
    public interface Listener {
        /**
         * Returns the partitions to read, and the first offset in each. Called once.
         *
         * @param all partitions of the topic, at least one
         */
        Map<TopicPartition, Long> begin(
                Consumer<byte[], byte[]> consumer, List<TopicPartition> all, Duration patience);

        /** Receives records, in order within each partition. */
        void take(Iterable<ConsumerRecord<byte[], byte[]>> records);

        /** Reading is impossible for now; {@code why} is one sentence. */
        void waiting(String why);

        /** Reading has ended, because the listener or the client failed. */
        void failed(RuntimeException cause);
    }

    private final KafkaAddress address;
    private final String topic;
    private final Listener listener;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Map<TopicPartition, Long> next = new HashMap<>();
    private final Thread thread;

    private TopicReader(KafkaAddress address, String topic, String name, Listener listener) {
        this.address = address;
        this.topic = topic;
        this.listener = listener;
        thread = new Thread(this::read, name);
        thread.setDaemon(true);
    }

    /**
     * Creates a reader and starts it.
     *
     * @param name name of the thread
     */
    public static TopicReader start(
            KafkaAddress address, String topic, String name, Listener listener) {
        TopicReader reader = new TopicReader(address, topic, name, listener);
        reader.thread.start();
        return reader;
    }

    private void read() {
        try {
            while (closed.getCount() > 0) {
                try {
                    read(connect());
                } catch (WakeupException | InterruptException e) {
                    return;
                } catch (KafkaException e) {
                    listener.waiting("topic %s cannot be read now: %s".formatted(topic, e));
                    closed.await(PAUSE_SECONDS, TimeUnit.SECONDS);
                }
            }
        } catch (InterruptedException e) {
            // Interrupted by close().
        } catch (RuntimeException e) {
            listener.failed(e);
        }
    }

    /**
     * Creates a consumer. If no broker's host can be resolved now, this fails like a lost
     * connection.
     */
    private Consumer<byte[], byte[]> connect() {
        try {
            return KafkaClients.consumer(address);
        } catch (IllegalArgumentException e) {
            if (KafkaAdmin.unresolved(e)) {
                throw new KafkaException(e.getMessage(), e);
            }
            throw e;
        }
    }

    private void read(Consumer<byte[], byte[]> consumer) {
        try {
            if (next.isEmpty()) {
                List<TopicPartition> all =
                        consumer.partitionsFor(topic, PATIENCE).stream()
                                .map(each -> new TopicPartition(topic, each.partition()))
                                .toList();
                if (all.isEmpty()) {
                    throw new KafkaException("there is no such topic");
                }
                next.putAll(listener.begin(consumer, all, PATIENCE));
            }
            consumer.assign(next.keySet());
            next.forEach(consumer::seek);
            while (closed.getCount() > 0) {
                ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
                listener.take(records);
                for (TopicPartition each : records.partitions()) {
                    List<ConsumerRecord<byte[], byte[]>> read = records.records(each);
                    next.put(each, read.get(read.size() - 1).offset() + 1);
                }
            }
        } finally {
            Thread.interrupted(); // otherwise close() leaves fetch sessions behind
            consumer.close(CloseOptions.timeout(CLOSE));
        }
    }

    @Override
    public void close() {
        closed.countDown();
        thread.interrupt();
    }
}
