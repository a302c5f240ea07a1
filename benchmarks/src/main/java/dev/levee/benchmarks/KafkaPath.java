package dev.levee.benchmarks;

import dev.levee.gar.Draws;
import dev.levee.gar.Rules;
import dev.levee.jobs.LocalKafka;
import dev.levee.operators.LearningRate;
import dev.levee.operators.Training;
import dev.levee.operators.TrainingBuilder;
import dev.levee.operators.TrainingJob;
import dev.levee.operators.kafka.KafkaAddress;
import dev.levee.operators.kafka.KafkaClients;
import dev.levee.operators.kafka.KafkaEdge;
import dev.levee.operators.kafka.Topics;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.wire.Frame;
import dev.levee.operators.wire.Frames;
import dev.levee.operators.wire.KeyDirectory;
import dev.levee.operators.wire.KeyRing;
import dev.levee.operators.wire.SigningKey;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Gradients from producers through Kafka, gate and rule to the next published model, against the
 * same records from producers to a plain consumer, in turn on one broker. Ten workers, as many
 * values as CifarNet has, multi-krum. The workers' own work, computing and signing, is done before.
 */
public final class KafkaPath {
    private static final int WORKERS = 10;
    private static final int DIMENSION = 1_756_426;
    private static final int PARTITIONS = 4;
    private static final int WARM_UP = 4;
    private static final int REPETITIONS = 3;
    private static final long RUN = 1;

    private final KafkaAddress kafka;
    private final KeyDirectory keys;
    private final int rounds;
    private final Slices slices = Slices.of(new FreeGradients(DIMENSION).layout());

    private KafkaPath(KafkaAddress kafka, KeyDirectory keys, int rounds) {
        this.kafka = kafka;
        this.keys = keys;
        this.rounds = rounds;
    }

    /** Takes the number of rounds, 16 by default. */
    public static void main(String[] args) throws Exception {
        Machine.print();
        int rounds = args.length == 0 ? 16 : Integer.parseInt(args[0]);
        Path directory = Files.createTempDirectory("levee-kafka-path-");
        KeyDirectory keys = new KeyDirectory(directory.resolve("keys"));
        keys.generate(KeyDirectory.JOB);
        for (int worker = 0; worker < WORKERS; worker++) {
            keys.generate(KeyDirectory.name(worker));
        }
        try (LocalKafka broker =
                LocalKafka.start(new LocalKafka.Options(directory.resolve("kafka"), 0, Map.of()))) {
            KafkaAddress kafka = new KafkaAddress(broker.bootstrapServers(), Map.of());
            new KafkaPath(kafka, keys, WARM_UP + rounds).run();
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
            }
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

    /** What it takes one thread to check the frames of one round. */
    private double checkMillis() {
        SigningKey[] signing = new SigningKey[WORKERS];
        Arrays.setAll(signing, worker -> keys.signing(KeyDirectory.name(worker)));
        List<byte[]> frames = frames(0, signing);
        KeyRing ring = keys.workers();
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

    private void createTopics(List<String> names) throws Exception {
        try (Admin admin = Admin.create(kafka.properties())) {
            admin.createTopics(
                            names.stream()
                                    .map(
                                            name ->
                                                    new NewTopic(name, PARTITIONS, (short) 1)
                                                            .configs(
                                                                    Map.of(
                                                                            "message.timestamp.type",
                                                                            "LogAppendTime")))
                                    .toList())
                    .all()
                    .get();
        }
    }

    private void deleteTopics(List<String> names) throws Exception {
        try (Admin admin = Admin.create(kafka.properties())) {
            admin.deleteTopics(names).all().get();
        }
    }

    private KafkaProducer<byte[], byte[]> producer() {
        Properties properties = kafka.properties();
        properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, "134217728");
        return new KafkaProducer<>(
                properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Frames of one round, worker by worker. */
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
                                        Header.gradient(RUN, round, worker, block),
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

    private static void send(KafkaProducer<byte[], byte[]> producer, String topic, byte[] frame) {
        Frame read = Frame.read(frame).orElseThrow();
        producer.send(
                new ProducerRecord<>(
                        topic,
                        Topics.partition(read.block(), PARTITIONS),
                        KeyDirectory.name(read.sender()).getBytes(StandardCharsets.UTF_8),
                        frame));
    }

    private double raw(String topic) throws Exception {
        createTopics(List.of(topic));
        SigningKey[] nobody = new SigningKey[WORKERS];
        List<byte[]> frames = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            frames.addAll(frames(round, nobody));
        }
        int warmUp = WARM_UP * WORKERS * slices.count();
        try (Consumer<byte[], byte[]> consumer = KafkaClients.consumer(kafka);
                KafkaProducer<byte[], byte[]> producer = producer()) {
            List<TopicPartition> partitions = partitions(topic);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Thread sending =
                    new Thread(() -> frames.forEach(frame -> send(producer, topic, frame)));
            sending.start();
            int seen = 0;
            long start = 0;
            while (seen < frames.size()) {
                int before = seen;
                seen += consumer.poll(Duration.ofMillis(100)).count();
                if (before < warmUp && seen >= warmUp) {
                    start = System.nanoTime();
                    warmUp = seen;
                }
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            sending.join();
            double bytes = 0;
            for (byte[] frame : frames.subList(warmUp, frames.size())) {
                bytes += frame.length;
            }
            return bytes / 1e6 / seconds;
        } finally {
            deleteTopics(List.of(topic));
        }
    }

    private static List<TopicPartition> partitions(String topic) {
        List<TopicPartition> partitions = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            partitions.add(new TopicPartition(topic, partition));
        }
        return partitions;
    }

    private double path(String name, boolean signed) throws Exception {
        Topics topics = new Topics(name);
        createTopics(topics.all());
        SigningKey[] signing = new SigningKey[WORKERS];
        if (signed) {
            Arrays.setAll(signing, worker -> keys.signing(KeyDirectory.name(worker)));
        }
        List<List<byte[]>> frames = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            frames.add(frames(round, signing));
        }
        JobClient job = start(topics, signed);
        try (Consumer<byte[], byte[]> models = KafkaClients.consumer(kafka);
                KafkaProducer<byte[], byte[]> producer = producer()) {
            List<TopicPartition> partitions = partitions(topics.models());
            models.assign(partitions);
            models.seekToBeginning(partitions);
            await(models, 0);
            long start = 0;
            for (int round = 0; round < rounds; round++) {
                if (round == WARM_UP) {
                    start = System.nanoTime();
                }
                frames.get(round).forEach(frame -> send(producer, topics.gradients(), frame));
                frames.set(round, null);
                await(models, round + 1);
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            job.getJobExecutionResult().get();
            return megabytesPerRound() * (rounds - WARM_UP) / seconds;
        } finally {
            deleteTopics(topics.all());
        }
    }

    /** Waits for all blocks of a version. */
    private void await(Consumer<byte[], byte[]> models, long version) {
        int seen = 0;
        while (seen < slices.count()) {
            for (ConsumerRecord<byte[], byte[]> record : models.poll(Duration.ofMillis(100))) {
                seen += Frame.read(record.value()).orElseThrow().round() == version ? 1 : 0;
            }
        }
    }

    private JobClient start(Topics topics, boolean signed) throws Exception {
        Map<Integer, Long> offsets = new HashMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            offsets.put(partition, 0L);
        }
        KafkaEdge edge =
                new KafkaEdge(
                        kafka,
                        topics,
                        RUN,
                        1,
                        signed ? keys.signing(KeyDirectory.JOB) : null,
                        signed ? keys.verifying(KeyDirectory.JOB) : null,
                        signed ? keys.workers() : KeyRing.OPEN,
                        offsets);
        Training training =
                new TrainingBuilder(
                                "kafkapat",
                                "strokes:?train=100&test=10&seed=1",
                                new FreeGradients(DIMENSION),
                                Rules.parse("multi-krum"),
                                WORKERS,
                                3)
                        .learningRate(LearningRate.parse("constant", 0.1, rounds))
                        .momentum(0, Training.MomentumSide.SERVER)
                        .rounds(rounds)
                        .evalInterval(rounds)
                        .build();
        Configuration configuration = new Configuration();
        configuration.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, false);
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(128));
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(128));
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(2, configuration);
        TrainingJob.serve(environment, training, edge, result -> {});
        return environment.executeAsync("kafka path");
    }
}
