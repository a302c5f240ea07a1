package dev.levee;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.connectors.kafka.wire.ToldServers;
import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.kafka.TestBroker;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.IntStream;

/** Plays the job: publishes versions, a transaction each, and reads gradients. */
public final class OutsideJob implements AutoCloseable {
    private static final int PARTITIONS = 2;
    private static final Duration PATIENCE = WorkerThread.PATIENCE;

    private final Topics topics;
    private final Slices slices;
    private final SigningKey key;
    private final Producer<byte[], byte[]> producer;
    private final Consumer<byte[], byte[]> consumer;
    private final List<Frame> received = new ArrayList<>();

    /** Makes the topics. */
    public OutsideJob(LocalKafka broker, Topics topics, Slices slices, SigningKey key) {
        this.topics = topics;
        this.slices = slices;
        this.key = key;
        TestBroker.create(
                broker,
                new NewTopic(topics.models(), PARTITIONS, (short) 1)
                        .configs(
                                Map.of(
                                        "cleanup.policy",
                                        "compact",
                                        "message.timestamp.type",
                                        "LogAppendTime")),
                new NewTopic(topics.gradients(), PARTITIONS, (short) 1));
        KafkaAddress address = new KafkaAddress(broker.bootstrapServers(), Map.of());
        Properties transactional = address.properties();
        transactional.setProperty("transactional.id", topics.name());
        producer =
                new KafkaProducer<>(
                        transactional, new ByteArraySerializer(), new ByteArraySerializer());
        producer.initTransactions();
        consumer = KafkaClients.consumer(address);
        List<TopicPartition> partitions =
                IntStream.range(0, PARTITIONS)
                        .mapToObj(each -> new TopicPartition(topics.gradients(), each))
                        .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** Publishes a version. */
    public void publish(long run, long version, float[] parameters, Settings settings) {
        publish(run, version, parameters, settings, key);
    }

    /** Publishes a version signed by somebody. */
    public void publish(
            long run, long version, float[] parameters, Settings settings, SigningKey signing) {
        publish(run, version, parameters, settings, 0, null, signing);
    }

    /**
     * Publishes a version as of one of several servers.
     *
     * @param server as which
     * @param says what it says of all, null if it is the only one
     * @param signing whose key it is signed with
     */
    public void publish(
            long run,
            long version,
            float[] parameters,
            Settings settings,
            int server,
            ToldServers says,
            SigningKey signing) {
        producer.beginTransaction();
        for (int block = 0; block < slices.count(); block++) {
            int from = slices.offset(block);
            byte[] frame =
                    Frames.of(
                            new ModelBlock(
                                    Header.model(run, version, new ShardId(server, block)),
                                    settings,
                                    Arrays.copyOfRange(
                                            parameters, from, from + slices.length(block))),
                            slices.count(),
                            settings.workers(),
                            -1,
                            "",
                            says,
                            signing);
            send(new ShardId(server, block).index(slices.count()), frame);
        }
        producer.commitTransaction();
    }

    /** Puts something on the topic of models that nobody has to understand. */
    public void litter(int shard, byte[] record) {
        producer.beginTransaction();
        send(shard, record);
        producer.commitTransaction();
    }

    private void send(int shard, byte[] record) {
        byte[] shardKey =
                ByteBuffer.allocate(Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(shard)
                        .array();
        producer.send(
                new ProducerRecord<>(
                        topics.models(), Topics.partition(shard, PARTITIONS), shardKey, record));
    }

    /** Waits until a gradient has been received so many times; its values, put together. */
    public float[] answer(long run, long round, int worker, int times) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (IntStream.range(0, slices.count())
                .anyMatch(block -> frames(run, round, worker, block).size() < times)) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("worker " + worker + " does not answer round " + round);
            }
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(50))) {
                Frame frame = Frame.read(record.value()).orElseThrow();
                if (record.partition() != Topics.partition(frame.block(), PARTITIONS)) {
                    throw new AssertionError("a block in another's partition");
                }
                received.add(frame);
            }
        }
        return slices.whole(block -> frames(run, round, worker, block).get(0).gradient().values());
    }

    /** All frames received so far of a block of a gradient, in order. */
    public List<Frame> frames(long run, long round, int worker, int block) {
        return received.stream()
                .filter(
                        frame ->
                                frame.run() == run
                                        && frame.round() == round
                                        && frame.sender() == worker
                                        && frame.block() == block)
                .toList();
    }

    @Override
    public void close() {
        producer.close();
        consumer.close();
    }
}
