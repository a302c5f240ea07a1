package dev.levee.benchmarks.kafka;

import dev.levee.benchmarks.Machine;
import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;

import org.apache.flink.core.execution.JobClient;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures the cost of a flood of invalid records: rounds per second, processor time of source and
 * gate, and heap. Compares the time before, during and after different floods at full speed. Eight
 * workers run in this process, seven of which close a round. The model is one small block.
 */
public final class KafkaFlood {
    private static final int WORKERS = 8;
    private static final int F = 1;
    private static final int QUORUM = WORKERS - F;
    private static final int MALLORY = WORKERS - 1;
    private static final int DIMENSION = 7850;
    private static final Duration RESEND = Duration.ofSeconds(2);
    private static final Duration SPAN = Duration.ofSeconds(12);

    private final KafkaBench kafka;
    private final Topics topics = new Topics("flood");
    private final AtomicLong newest = new AtomicLong(-1);
    private volatile boolean flooding;
    private volatile boolean ended;

    private KafkaFlood(KafkaBench kafka) {
        this.kafka = kafka;
    }

    /** Takes no arguments. */
    public static void main(String[] args) throws Exception {
        Machine.print();
        try (KafkaBench kafka = new KafkaBench(WORKERS, 2)) {
            new KafkaFlood(kafka).run();
        }
        System.exit(0); // Flink's embedded cluster may leave a thread
    }

    private void run() throws Exception {
        kafka.createTopics(topics.all());
        JobClient job = kafka.serve(topics, DIMENSION, F, QUORUM, 1_000_000, true);
        Thread workers = new Thread(this::answer, "workers");
        workers.start();
        while (newest.get() < 100) {
            Thread.onSpinWait();
        }
        System.out.println(
                "| flood | records a second | MB/s | rounds a second | source and gate, of one"
                        + " processor | heap in use, MB |");
        System.out.println("|---|---|---|---|---|---|");
        measure("none", null);
        measure("noise, 200 bytes", noise(200));
        measure("noise, 500 kB", noise(500_000));
        SigningKey mallory = kafka.signing(true)[MALLORY];
        measure("in the names of others, unsigned", forged(null));
        measure("in the names of others, signed by a worker", forged(mallory));
        measure("in its own name, signed by a worker", own(mallory));
        measure("none", null);
        ended = true;
        workers.join();
        job.cancel().get();
    }

    private List<byte[]> noise(int size) {
        SplittableRandom random = new SplittableRandom(1);
        List<byte[]> noise = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            byte[] record = new byte[size];
            random.nextBytes(record);
            noise.add(record);
        }
        return noise;
    }

    /** Forged gradients of future rounds, so that none is outdated or already known. */
    private List<byte[]> forged(SigningKey key) {
        List<byte[]> forged = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            forged.add(gradient(1_000_000 + i, i % MALLORY, key));
        }
        return forged;
    }

    /** Many different answers of one worker to the same round. */
    private static List<byte[]> own(SigningKey key) {
        List<byte[]> own = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            float[] values = new float[DIMENSION];
            Arrays.fill(values, i);
            own.add(
                    Frames.of(
                            new GradientBlock(
                                    Header.gradient(
                                            KafkaBench.RUN, 1_000_000, MALLORY, new ShardId(0, 0)),
                                    1,
                                    0,
                                    0,
                                    values),
                            1,
                            key));
        }
        return own;
    }

    private static byte[] gradient(long round, int worker, SigningKey key) {
        float[] values = new float[DIMENSION];
        Arrays.fill(values, worker);
        return Frames.of(
                new GradientBlock(
                        Header.gradient(KafkaBench.RUN, round, worker, new ShardId(0, 0)),
                        1,
                        0,
                        0,
                        values),
                1,
                key);
    }

    private void answer() {
        SigningKey[] keys = kafka.signing(true);
        try (Consumer<byte[], byte[]> models = KafkaClients.consumer(kafka.kafka());
                KafkaProducer<byte[], byte[]> producer = kafka.producer()) {
            kafka.subscribe(models, topics.models());
            long sentAt = System.nanoTime();
            while (!ended) {
                boolean late = System.nanoTime() - sentAt > RESEND.toNanos();
                boolean news = false;
                for (ConsumerRecord<byte[], byte[]> record : models.poll(Duration.ofMillis(50))) {
                    newest.set(Frame.read(record.value()).orElseThrow().round());
                    news = true;
                }
                if (news || (late && newest.get() >= 0)) {
                    sentAt = System.nanoTime();
                    for (int worker = 0; worker < WORKERS; worker++) {
                        byte[] frame = gradient(newest.get(), worker, keys[worker]);
                        kafka.send(producer, topics.gradients(), frame);
                    }
                }
            }
        }
    }

    private void measure(String name, List<byte[]> rubbish) throws Exception {
        AtomicLong records = new AtomicLong();
        AtomicLong bytes = new AtomicLong();
        Thread flood =
                new Thread(
                        () -> {
                            if (rubbish != null) {
                                flood(rubbish, records, bytes);
                            }
                        },
                        "flood");
        flooding = true;
        flood.start();
        long start = System.nanoTime();
        long from = newest.get();
        long cpu = gateNanos();
        Thread.sleep(SPAN.toMillis());
        double seconds = (System.nanoTime() - start) / 1e9;
        double rounds = newest.get() - from;
        double share = (gateNanos() - cpu) / 1e9 / seconds;
        long sent = records.get();
        double megabytes = bytes.get() / 1e6;
        flooding = false;
        flood.join();
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        System.out.printf(
                Locale.ROOT,
                "| %s | %.0f | %.1f | %.1f | %.2f | %.0f |%n",
                name,
                sent / seconds,
                megabytes / seconds,
                rounds / seconds,
                share,
                heap / 1e6);
    }

    private void flood(List<byte[]> rubbish, AtomicLong records, AtomicLong bytes) {
        Properties properties = kafka.kafka().properties();
        properties.put(ProducerConfig.LINGER_MS_CONFIG, "5");
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, "262144");
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        properties, new ByteArraySerializer(), new ByteArraySerializer());
        for (int i = 0; flooding; i++) {
            byte[] record = rubbish.get(i % rubbish.size());
            producer.send(new ProducerRecord<>(topics.gradients(), 0, null, record));
            records.incrementAndGet();
            bytes.addAndGet(record.length);
        }
        producer.close(Duration.ZERO);
    }

    private static long gateNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long nanos = 0;
        for (ThreadInfo info : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (info != null && info.getThreadName().contains("Gradient topic")) {
                nanos += Math.max(0, threads.getThreadCpuTime(info.getThreadId()));
            }
        }
        return nanos;
    }
}
