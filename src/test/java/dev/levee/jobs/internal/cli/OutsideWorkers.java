package dev.levee.jobs.internal.cli;

import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.data.Datasets.Split;
import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.versions.NewestVersion;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.gar.Rules;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.participant.Batches;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Honest workers of a logistic regression, all in one thread and as plain as can be. */
final class OutsideWorkers implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final KafkaAddress kafka;
    private final Topics topics;
    private final KeyDirectory keys;
    private final int count;
    private final Thread thread = new Thread(this::work, "workers");
    private volatile boolean closed;
    private volatile long answered = -1;

    /** Workers 0 to {@code count} − 1; keys may be null. */
    OutsideWorkers(String bootstrapServers, String run, KeyDirectory keys, int count) {
        this.kafka = new KafkaAddress(bootstrapServers, Map.of());
        this.topics = new Topics(run);
        this.keys = keys;
        this.count = count;
        thread.start();
    }

    /** The newest version they have answered, −1 before the first. */
    long answered() {
        return answered;
    }

    private void work() {
        var data = Datasets.open("strokes:", Split.TRAIN);
        Model model = Models.open("logistic", data.shape(), data.classes());
        Training training =
                new TrainingBuilder("01234567", "strokes:", model, Rules.parse("average"), count, 0)
                        .build();
        Batches batches = new Batches(training);
        try (Learner learner = model.newLearner();
                Consumer<byte[], byte[]> consumer = KafkaClients.consumer(kafka);
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(
                                kafka.properties(),
                                new ByteArraySerializer(),
                                new ByteArraySerializer())) {
            long run = -1;
            while (!closed) {
                Optional<NewestVersion.Found> newest = newest(consumer);
                if (newest.isEmpty()) {
                    continue;
                }
                ModelBlock version = newest.get().frames().get(0).model();
                boolean news = newest.get().run() != run || newest.get().version() > answered;
                if (version.settings().stop() || !news) {
                    continue;
                }
                run = newest.get().run();
                for (int worker = 0; worker < count; worker++) {
                    int size = version.settings().batchSize();
                    Gradient gradient =
                            learner.gradient(
                                    version.values(),
                                    batches.next(worker, newest.get().version() * size, size),
                                    0);
                    producer.send(
                            new ProducerRecord<>(
                                    topics.gradients(),
                                    0,
                                    null,
                                    record(version, worker, gradient)));
                }
                producer.flush();
                answered = newest.get().version();
            }
        }
    }

    private Optional<NewestVersion.Found> newest(Consumer<byte[], byte[]> consumer) {
        try {
            return NewestVersion.find(
                    consumer,
                    topics.models(),
                    FrameKind.MODEL,
                    keys == null ? null : keys.verifying(KeyDirectory.JOB),
                    PATIENCE);
        } catch (UnknownTopicOrPartitionException e) {
            return Optional.empty(); // the server has not made it yet
        }
    }

    private byte[] record(ModelBlock version, int worker, Gradient gradient) {
        Header header = version.header();
        return Frames.of(
                new GradientBlock(
                        Header.gradient(header.run(), header.round(), worker, new ShardId(0, 0)),
                        gradient.loss(),
                        0,
                        0,
                        gradient.values()),
                1,
                keys == null
                        ? null
                        : keys.signing(KeyDirectory.name(worker))
                                .towards(keys.verifying(KeyDirectory.JOB)));
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.join();
    }
}
