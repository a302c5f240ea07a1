package dev.levee.benchmarks.kafka;

import dev.levee.benchmarks.loop.FreeGradients;
import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.KafkaAdmin;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.job.Evaluator;
import dev.levee.connectors.kafka.job.KafkaEdge;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.KeyRing;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.connectors.kafka.wire.VerifyingKey;
import dev.levee.gar.Rules;
import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.operators.flink.TrainingJob;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The environment of a benchmark: a separate broker, keys, and jobs in this process that serve
 * models through the broker.
 */
final class KafkaBench implements AutoCloseable {
    /** The run id of all runs. */
    static final long RUN = 1;

    private static final int PARALLELISM = 2;

    private final Path directory;
    private final int workers;
    private final int partitions;
    private final KeyDirectory keys;
    private final LocalKafka broker;

    /** Starts a broker, and generates keys for this many workers. */
    KafkaBench(int workers, int partitions) throws IOException {
        this.workers = workers;
        this.partitions = partitions;
        directory = Files.createTempDirectory("levee-kafka-");
        keys = new KeyDirectory(directory.resolve("keys"));
        keys.generate(KeyDirectory.JOB);
        for (int worker = 0; worker < workers; worker++) {
            keys.generate(KeyDirectory.name(worker));
        }
        broker = LocalKafka.start(new LocalKafka.Options(directory.resolve("kafka"), 0, Map.of()));
    }

    KafkaAddress kafka() {
        return new KafkaAddress(broker.bootstrapServers(), Map.of());
    }

    /** The workers' private keys, or the same number of nulls. */
    SigningKey[] signing(boolean signed) {
        SigningKey[] signing = new SigningKey[workers];
        if (signed) {
            VerifyingKey job = keys.verifying(KeyDirectory.JOB);
            Arrays.setAll(signing, worker -> keys.signing(KeyDirectory.name(worker)).towards(job));
        }
        return signing;
    }

    /** The workers' public keys. */
    KeyRing ring() {
        return keys.workers();
    }

    void createTopics(List<String> names) {
        Map<String, String> configuration = Map.of("message.timestamp.type", "LogAppendTime");
        try (KafkaAdmin admin = KafkaAdmin.connect(kafka())) {
            admin.create(
                    names.stream()
                            .map(name -> new NewTopic(name, partitions, (short) 1))
                            .map(topic -> topic.configs(configuration))
                            .toList());
        }
    }

    void deleteTopics(List<String> names) throws Exception {
        try (Admin admin = broker.admin()) {
            admin.deleteTopics(names).all().get();
        }
    }

    KafkaProducer<byte[], byte[]> producer() {
        Properties properties = kafka().properties();
        properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, "134217728");
        return new KafkaProducer<>(
                properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Sends a frame to the topic that a worker would use. */
    void send(KafkaProducer<byte[], byte[]> producer, String topic, byte[] frame) {
        Frame read = Frame.read(frame).orElseThrow();
        producer.send(
                new ProducerRecord<>(
                        topic,
                        Topics.partition(read.block(), partitions),
                        KeyDirectory.name(read.sender()).getBytes(StandardCharsets.UTF_8),
                        frame));
    }

    /** Starts to read a topic from its beginning. */
    void subscribe(Consumer<byte[], byte[]> consumer, String topic) {
        List<TopicPartition> all = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            all.add(new TopicPartition(topic, partition));
        }
        consumer.assign(all);
        consumer.seekToBeginning(all);
    }

    /** Waits for all blocks of a version. */
    static void await(Consumer<byte[], byte[]> models, long version, int blocks) {
        int seen = 0;
        while (seen < blocks) {
            for (ConsumerRecord<byte[], byte[]> record : models.poll(Duration.ofMillis(100))) {
                seen += Frame.read(record.value()).orElseThrow().round() == version ? 1 : 0;
            }
        }
    }

    /** Starts a job that serves a model of free gradients with Multi-Krum. */
    JobClient serve(Topics topics, int dimension, int f, int quorum, int rounds, boolean signed)
            throws Exception {
        Map<Integer, Long> offsets = new HashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            offsets.put(partition, 0L);
        }
        KafkaEdge edge =
                new KafkaEdge(
                        kafka(),
                        topics,
                        RUN,
                        1,
                        signed ? keys.signing(KeyDirectory.JOB) : null,
                        signed ? keys.verifying(KeyDirectory.JOB) : null,
                        signed ? keys.workers() : KeyRing.OPEN,
                        Evaluator.NONE,
                        offsets);
        Training training =
                new TrainingBuilder(
                                "kafkajob",
                                "strokes:?train=100&test=10&seed=1",
                                new FreeGradients(dimension),
                                Rules.parse("multi-krum"),
                                workers,
                                f)
                        .quorum(quorum)
                        .learningRate(LearningRate.parse("constant", 0.1, rounds))
                        .work(new GradientWork(0))
                        .rounds(rounds)
                        .evalInterval(rounds)
                        .build();
        Configuration configuration = new Configuration();
        configuration.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, false);
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(128));
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(128));
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(PARALLELISM, configuration);
        TrainingJob.serve(environment, training, edge, result -> {});
        return environment.executeAsync("serve");
    }

    @Override
    public void close() throws IOException {
        broker.close();
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        }
    }
}
