package dev.levee.connectors.kafka.job;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.KafkaAdmin;
import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.versions.NewestVersion;
import dev.levee.connectors.kafka.versions.VersionFollower;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.connectors.kafka.wire.ToldServers;
import dev.levee.operators.rounds.coordinator.CoordinatorMemory;
import dev.levee.operators.rounds.topology.Reading;

import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;

/** Reads a run's state from its topics, without changing anything. */
public final class RunReader implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(200);

    /**
     * Maximum number of gradient records that are read to find out which workers have answered;
     * about 2 GiB of full blocks.
     */
    private static final int MOST_RECORDS = 4096;

    private final KafkaAddress address;
    private final Topics topics;
    private final ServerRing one;
    private final IntFunction<ServerRing> rings;
    private final KafkaAdmin kafka;

    private RunReader(
            KafkaAddress address,
            Topics topics,
            ServerRing one,
            IntFunction<ServerRing> rings,
            KafkaAdmin kafka) {
        this.address = address;
        this.topics = topics;
        this.one = one;
        this.rings = rings;
        this.kafka = kafka;
    }

    /**
     * Connects.
     *
     * @param rings the trusted servers, by the number of servers in the run
     * @throws IllegalArgumentException if the address is invalid, or a key is missing; one sentence
     */
    public static RunReader connect(
            KafkaAddress address, Topics topics, IntFunction<ServerRing> rings) {
        ServerRing one = rings.apply(1); // fails before connecting if a key is missing
        return new RunReader(address, topics, one, rings, KafkaAdmin.connect(address));
    }

    /**
     * Reads the overview.
     *
     * @throws IllegalArgumentException if there is no such run, or no version of it; one sentence
     */
    public RunOverview read() {
        if (new RunTopics(kafka, topics).partitions().isEmpty()) {
            throw new IllegalArgumentException(
                    "there is no run %s at %s; levee serve --run %s starts one"
                            .formatted(topics.name(), address, topics.name()));
        }
        try (Consumer<byte[], byte[]> consumer = KafkaClients.consumer(address)) {
            NewestVersion.Found model = newest(consumer, topics.models(), FrameKind.MODEL);
            NewestVersion.Found state = newest(consumer, topics.states(), FrameKind.STATE);
            CoordinatorMemory memory = VersionState.of(state.frames().get(0).state()).memory();
            if (memory == null) {
                throw new IllegalArgumentException(
                        "%s has a state that no job has written".formatted(topics.states()));
            }
            Map<Integer, BitSet> answers = new TreeMap<>();
            boolean truncated = readAnswers(consumer, model, answers);
            return new RunOverview(
                    model.run(),
                    model.version(),
                    model.publishedAt(),
                    model.frames().get(0).settings(),
                    memory,
                    model.frames().get(0).blocks() * receivers(model),
                    answers,
                    truncated,
                    partitions());
        } catch (KafkaException e) {
            throw KafkaAdmin.failed(address, e);
        }
    }

    private NewestVersion.Found newest(
            Consumer<byte[], byte[]> consumer, String topic, FrameKind kind) {
        ServerRing ring = one;
        VersionFollower follower = follower(consumer, topic, kind, ring);
        Optional<NewestVersion.Found> found = follower.find(PATIENCE);
        if (found.isEmpty() && follower.otherServers() > 1) {
            ring = rings.apply(follower.otherServers());
            found = follower(consumer, topic, kind, ring).find(PATIENCE);
        }
        String signed = ring.signed() ? " signed by the job of --keys" : "";
        return found.orElseThrow(
                () ->
                        new IllegalArgumentException(
                                "%s has no complete version%s".formatted(topic, signed)));
    }

    private static VersionFollower follower(
            Consumer<byte[], byte[]> consumer, String topic, FrameKind kind, ServerRing ring) {
        return new VersionFollower(consumer, topic, kind, ring, NewestVersion.Blocks.ALL);
    }

    private boolean readAnswers(
            Consumer<byte[], byte[]> consumer,
            NewestVersion.Found newest,
            Map<Integer, BitSet> answers) {
        List<TopicPartition> partitions =
                consumer.partitionsFor(topics.gradients()).stream()
                        .map(each -> new TopicPartition(each.topic(), each.partition()))
                        .toList();
        consumer.assign(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        Map<TopicPartition, Long> times = new HashMap<>();
        partitions.forEach(each -> times.put(each, newest.publishedAt()));
        consumer.offsetsForTimes(times)
                .forEach(
                        (partition, found) ->
                                consumer.seek(
                                        partition,
                                        found == null ? ends.get(partition) : found.offset()));
        int records = 0;
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (ends.entrySet().stream()
                .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            if (records > MOST_RECORDS || System.nanoTime() > deadline) {
                return true;
            }
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                records++;
                Frame.read(record.value(), FrameKind.GRADIENT)
                        .ifPresent(frame -> count(frame, newest, answers));
            }
        }
        return false;
    }

    /** Adds a block to the answers, if it answers the newest version. */
    static void count(Frame frame, NewestVersion.Found newest, Map<Integer, BitSet> answers) {
        int receivers = receivers(newest);
        int receiver = receivers > 1 ? frame.receiver() : 0;
        int blocks = newest.frames().get(0).blocks();
        if (frame.run() == newest.run()
                && frame.round() == newest.version()
                && newest.frames().get(0).settings().cohort().contains(frame.sender())
                && receiver >= 0
                && receiver < receivers
                && frame.block() < blocks) {
            answers.computeIfAbsent(frame.sender(), w -> new BitSet())
                    .set(receiver * blocks + frame.block());
        }
    }

    /** Number of servers that get gradients of their own; 1 if one gradient is for all. */
    private static int receivers(NewestVersion.Found newest) {
        return newest.frames()
                .get(0)
                .toldServers()
                .filter(told -> told.reading() == Reading.PER_SERVER)
                .map(ToldServers::servers)
                .orElse(1);
    }

    private List<RunOverview.Partition> partitions() {
        int count = new RunTopics(kafka, topics).partitions().orElse(0);
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        for (int partition = 0; partition < count; partition++) {
            wanted.put(new TopicPartition(topics.gradients(), partition), OffsetSpec.latest());
        }
        var ends = kafka.get(kafka.client().listOffsets(wanted).all());
        Map<TopicPartition, OffsetAndMetadata> committed =
                kafka.get(
                        kafka.client()
                                .listConsumerGroupOffsets(topics.name())
                                .partitionsToOffsetAndMetadata());
        Map<TopicPartition, Long> bytes = bytes();
        List<RunOverview.Partition> partitions = new ArrayList<>();
        for (int partition = 0; partition < count; partition++) {
            TopicPartition key = new TopicPartition(topics.gradients(), partition);
            OffsetAndMetadata offset = committed.get(key);
            partitions.add(
                    new RunOverview.Partition(
                            partition,
                            ends.get(key).offset(),
                            offset == null ? -1 : offset.offset(),
                            bytes.getOrDefault(key, -1L)));
        }
        return partitions;
    }

    /**
     * The size of each partition's largest replica. Brokers at which this client may not read sizes
     * are left out.
     */
    private Map<TopicPartition, Long> bytes() {
        List<Integer> brokers =
                kafka.get(kafka.client().describeCluster().nodes()).stream().map(Node::id).toList();
        Map<TopicPartition, Long> bytes = new HashMap<>();
        for (KafkaFuture<Map<String, LogDirDescription>> broker :
                kafka.client().describeLogDirs(brokers).descriptions().values()) {
            try {
                kafka.get(broker).values().forEach(directory -> add(directory, bytes));
            } catch (IllegalArgumentException e) {
                if (!(e.getCause() instanceof AuthorizationException)) {
                    throw e;
                }
            }
        }
        return bytes;
    }

    private static void add(LogDirDescription directory, Map<TopicPartition, Long> bytes) {
        directory
                .replicaInfos()
                .forEach((partition, replica) -> bytes.merge(partition, replica.size(), Math::max));
    }

    @Override
    public void close() {
        kafka.close();
    }
}
