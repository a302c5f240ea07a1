package dev.levee.benchmarks.kafka;

import dev.levee.benchmarks.Machine;
import dev.levee.benchmarks.loop.FreeGradients;
import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.KeyRing;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.gar.Draws;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.flink.core.execution.JobClient;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Compares two paths of gradients on one broker, alternately: from producers through Kafka, gate
 * and rule to the next published model; and from producers to a plain consumer. There are ten
 * workers, the rule is multi-krum, and the model has as many values as CifarNet. The workers' own
 * computing and signing is done before.
 */
public final class KafkaPath {
    private static final int WORKERS = 10;
    private static final int F = 3;
    private static final int DIMENSION = 1_756_426;
    private static final int PARTITIONS = 4;
    private static final int WARM_UP = 4;
    private static final int REPETITIONS = 5;

    private final KafkaBench kafka;
    private final int rounds;
    private final Slices slices = Slices.of(new FreeGradients(DIMENSION).layout());

    private KafkaPath(KafkaBench kafka, int rounds) {
        this.kafka = kafka;
        this.rounds = rounds;
    }

    /** Argument: the number of rounds (8). */
    public static void main(String[] args) throws Exception {
        Machine.print();
        int rounds = args.length == 0 ? 8 : Integer.parseInt(args[0]);
        try (KafkaBench kafka = new KafkaBench(WORKERS, PARTITIONS)) {
            new KafkaPath(kafka, WARM_UP + rounds).run();
        }
        System.exit(0); // Flink's embedded cluster may leave a thread
    }

    private void run() throws Exception {
        System.out.printf(
                "%d workers, %d values, %d blocks, %d partitions, %d rounds of %.1f MB%n%n",
                WORKERS,
                DIMENSION,
                slices.count(),
                PARTITIONS,
                rounds - WARM_UP,
                megabytesPerRound());
        System.out.println(
                "| | raw, MB/s | signed, MB/s | unsigned, MB/s | signed / raw | unsigned / raw |"
                        + " checking, ms a round |");
        System.out.println("|---|---|---|---|---|---|---|");
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
            double raw = raw("raw" + repetition);
            double signed = path("signed" + repetition, true);
            double unsigned = path("unsigned" + repetition, false);
            System.out.printf(
                    Locale.ROOT,
                    "| %d | %.0f | %.0f | %.0f | %.2f | %.2f | %.0f |%n",
                    repetition + 1,
                    raw,
                    signed,
                    unsigned,
                    signed / raw,
                    unsigned / raw,
                    checkMillis());
        }
    }

    /** Milliseconds in which one thread checks the frames of one round. */
    private double checkMillis() {
        List<byte[]> frames = frames(0, kafka.signing(true));
        KeyRing ring = kafka.ring();
        long start = System.nanoTime();
        for (byte[] bytes : frames) {
            Frame frame = Frame.read(bytes).orElseThrow();
            if (!frame.authentic(ring.of(frame.sender()))) {
                throw new IllegalStateException("a frame that is not authentic");
            }
        }
        return (System.nanoTime() - start) / 1e6;
    }

    private double megabytesPerRound() {
        return WORKERS * (double) DIMENSION * Float.BYTES / 1e6;
    }

    /** The frames of one round, worker by worker. */
    private List<byte[]> frames(long round, SigningKey[] signing) {
        List<byte[]> frames = new ArrayList<>();
        for (int worker = 0; worker < WORKERS; worker++) {
            for (int block = 0; block < slices.count(); block++) {
                float[] values = new float[slices.length(block)];
                for (int i = 0; i < values.length; i++) {
                    values[i] = Draws.uniformFloat(round * WORKERS + worker, i);
                }
                frames.add(
                        Frames.of(
                                new GradientBlock(
                                        Header.gradient(
                                                KafkaBench.RUN,
                                                round,
                                                worker,
                                                new ShardId(0, block)),
                                        1,
                                        0,
                                        0,
                                        values),
                                slices.count(),
                                signing[worker]));
            }
        }
        return frames;
    }

    private double raw(String topic) throws Exception {
        kafka.createTopics(List.of(topic));
        List<byte[]> frames = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            frames.addAll(frames(round, kafka.signing(false)));
        }
        int warmUp = WARM_UP * WORKERS * slices.count();
        try (Consumer<byte[], byte[]> consumer = KafkaClients.consumer(kafka.kafka());
                KafkaProducer<byte[], byte[]> producer = kafka.producer()) {
            kafka.subscribe(consumer, topic);
            Thread sending =
                    new Thread(() -> frames.forEach(frame -> kafka.send(producer, topic, frame)));
            sending.start();
            int seen = 0;
            int from = 0;
            long start = 0;
            while (seen < frames.size()) {
                seen += consumer.poll(Duration.ofMillis(100)).count();
                if (from == 0 && seen >= warmUp) {
                    start = System.nanoTime();
                    from = seen;
                }
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            sending.join();
            double bytes =
                    frames.subList(from, frames.size()).stream().mapToLong(f -> f.length).sum();
            return bytes / 1e6 / seconds;
        } finally {
            kafka.deleteTopics(List.of(topic));
        }
    }

    private double path(String name, boolean signed) throws Exception {
        Topics topics = new Topics(name);
        kafka.createTopics(topics.all());
        List<List<byte[]>> frames = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            frames.add(frames(round, kafka.signing(signed)));
        }
        JobClient job = kafka.serve(topics, DIMENSION, F, WORKERS, rounds, signed);
        try (Consumer<byte[], byte[]> models = KafkaClients.consumer(kafka.kafka());
                KafkaProducer<byte[], byte[]> producer = kafka.producer()) {
            kafka.subscribe(models, topics.models());
            KafkaBench.await(models, 0, slices.count());
            long start = 0;
            for (int round = 0; round < rounds; round++) {
                if (round == WARM_UP) {
                    start = System.nanoTime();
                }
                frames.get(round).forEach(frame -> kafka.send(producer, topics.gradients(), frame));
                frames.set(round, null);
                KafkaBench.await(models, round + 1, slices.count());
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            job.getJobExecutionResult().get();
            return megabytesPerRound() * (rounds - WARM_UP) / seconds;
        } finally {
            kafka.deleteTopics(topics.all());
        }
    }
}
