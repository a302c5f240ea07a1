package dev.levee.benchmarks.siege;

import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;

import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import java.time.Duration;
import java.util.Arrays;
import java.util.Properties;
import java.util.Random;

/**
 * Invalid records for the topic of gradients: noise, truncated frames, and NaN values under other
 * workers' names, signed with the worker's own key.
 */
final class InvalidRecords {
    private static final int LONGEST_NOISE = 2000;
    private static final int VALUES = 7850;

    private final TestBed bed;
    private final Topics topics;
    private final long round;
    private final Random random;
    private final SigningKey mallory;

    /**
     * Prepares invalid records for a run.
     *
     * @param round the round in forged frames
     */
    InvalidRecords(TestBed bed, String run, long round, long seed) {
        this.bed = bed;
        this.topics = new Topics(run);
        this.round = round;
        this.random = new Random(seed);
        this.mallory =
                bed.keys()
                        .signing(KeyDirectory.name(Workload.WORKERS - 1))
                        .towards(bed.keys().verifying(KeyDirectory.JOB));
    }

    /** Sends the records as fast as the broker accepts them, and returns their number. */
    long flood(Duration length) {
        Properties properties = bed.kafka().properties();
        properties.put(ProducerConfig.LINGER_MS_CONFIG, "5");
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, "2000");
        properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "gzip");
        long sent = 0;
        long end = System.nanoTime() + length.toNanos();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            while (System.nanoTime() < end) {
                byte[] record = next();
                try {
                    producer.send(new ProducerRecord<>(topics.gradients(), record));
                    sent++;
                } catch (KafkaException e) {
                    continue; // the topic does not exist yet
                }
            }
        }
        return sent;
    }

    private byte[] next() {
        int kind = random.nextInt(10);
        if (kind < 6) {
            byte[] noise = new byte[random.nextInt(LONGEST_NOISE)];
            random.nextBytes(noise);
            return noise;
        }
        byte[] forged = forged();
        return kind < 8 ? forged : Arrays.copyOf(forged, random.nextInt(forged.length));
    }

    private byte[] forged() {
        // One of the names does not exist.
        int worker = random.nextInt(Workload.WORKERS - 1);
        Header header =
                Header.gradient(
                        random.nextLong(),
                        round,
                        worker == 0 ? Workload.WORKERS + 5 : worker,
                        new ShardId(0, 0));
        float[] values = new float[VALUES];
        Arrays.fill(values, Float.NaN);
        return Frames.of(new GradientBlock(header, 0, 0, 0, values), 1, mallory);
    }
}
