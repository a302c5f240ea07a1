package dev.levee.kafka;

import dev.levee.connectors.kafka.KafkaAddress;

import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Sends rubbish to a topic, thousands of records a second. */
final class Flood implements AutoCloseable {
    private static final long PAUSE_NANOS = 20_000_000;

    private final Thread thread;
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private volatile boolean ended;

    private Flood(KafkaAddress kafka, String topic, Supplier<List<byte[]>> rubbish) {
        thread = new Thread(() -> send(kafka, topic, rubbish), "flood");
    }

    /**
     * Starts one.
     *
     * @param rubbish what to send next, again and again
     */
    static Flood start(KafkaAddress kafka, String topic, Supplier<List<byte[]>> rubbish) {
        Flood flood = new Flood(kafka, topic, rubbish);
        flood.thread.start();
        return flood;
    }

    private void send(KafkaAddress kafka, String topic, Supplier<List<byte[]>> rubbish) {
        Properties properties = kafka.properties();
        properties.put(ProducerConfig.LINGER_MS_CONFIG, "5");
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, "262144");
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            while (!ended) {
                for (byte[] record : rubbish.get()) {
                    producer.send(new ProducerRecord<>(topic, record));
                    records.incrementAndGet();
                    bytes.addAndGet(record.length);
                }
                // Thousands of records a second are a flood; all that the machine can send would
                // only take processors from those that are to come through it.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    long records() {
        return records.get();
    }

    long bytes() {
        return bytes.get();
    }

    @Override
    public void close() throws InterruptedException {
        ended = true;
        thread.join();
    }
}
