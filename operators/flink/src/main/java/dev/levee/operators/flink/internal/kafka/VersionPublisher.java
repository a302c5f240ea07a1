package dev.levee.operators.flink.internal.kafka;

import dev.levee.connectors.kafka.KafkaEdge;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.VersionState;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.operators.flink.internal.records.VersionPart;
import dev.levee.operators.rounds.CoordinatorMemory;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;

import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.BitSet;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Publishes versions, each in one transaction, in order and once. The topic is the truth: a part of
 * a version that it has already is only compared, and whoever goes on from something else than the
 * topic's newest version makes the job start again from there.
 */
final class VersionPublisher {
    /** Parts of one version that have come. */
    private final class Assembly {
        private final VersionPart.Block[] parts = new VersionPart.Block[blocks];
        private int missing = blocks;
        private CoordinatorMemory memory;

        private void add(VersionPart part) {
            if (part instanceof VersionPart.Memory own) {
                memory = own.memory();
            } else if (part instanceof VersionPart.Block block) {
                int index = block.model().shard().block();
                missing -= parts[index] == null ? 1 : 0;
                parts[index] = block;
            }
        }

        private boolean complete() {
            return missing == 0 && memory != null;
        }

        private boolean last() {
            return parts[0].model().settings().stop();
        }
    }

    private static final long COMMIT_PATIENCE_NANOS = Duration.ofMinutes(5).toNanos();

    private final KafkaEdge edge;
    private final int blocks;
    private final int participants;
    private final Producer<byte[], byte[]> producer;
    private final PublishedVersion adopted;
    private final TreeMap<Long, Assembly> open = new TreeMap<>();
    private final BitSet caughtUp = new BitSet();
    private long newest;

    /** The newest version was published as the last one, which told all workers to end. */
    private boolean ended;

    /**
     * A publisher whose producer has fenced all others off.
     *
     * @param participants among how many workers data are dealt
     * @param adopted the newest version on the topic since then, empty if there is none
     */
    VersionPublisher(
            KafkaEdge edge,
            int blocks,
            int participants,
            Producer<byte[], byte[]> producer,
            Optional<PublishedVersion> adopted) {
        this.edge = edge;
        this.blocks = blocks;
        this.participants = participants;
        this.producer = producer;
        this.adopted = adopted.orElse(null);
        this.newest = adopted.map(PublishedVersion::version).orElse(-1L);
        this.ended = adopted.isPresent() && this.adopted.frames().get(0).settings().stop();
    }

    /** The newest version published, −1 before the first. */
    long newest() {
        return newest;
    }

    /** True once every shard and the coordinator go on from the newest version or the next. */
    boolean caughtUp() {
        return caughtUp.cardinality() == blocks + 1;
    }

    /**
     * Takes a part; publishes its version if that is complete now.
     *
     * @return true if a version was published
     * @throws IllegalStateException if the part contradicts what was published, or is older
     */
    boolean add(VersionPart part) {
        if (part.version() < newest) {
            checkPulled(part);
            return false;
        }
        caughtUp.set(
                part instanceof VersionPart.Block block ? block.model().shard().block() : blocks);
        if (part.version() == newest) {
            compare(part);
            if (!ended) {
                return false;
            }
        }
        Assembly assembly = open.computeIfAbsent(part.version(), version -> new Assembly());
        assembly.add(part);
        boolean next = newest < 0 || part.version() <= newest + 1;
        if (!next || !assembly.complete()) {
            return false;
        }
        // A run that goes on for longer publishes the version it had ended with once more.
        if (part.version() == newest && assembly.last()) {
            return false;
        }
        publish(assembly);
        ended = false;
        newest = part.version();
        open.headMap(newest, true).clear();
        return true;
    }

    /**
     * An older version is offered again where somebody has pulled it. Otherwise who sends it had
     * looked for the newest before that was out, and may have passed over answers to it already.
     */
    private void checkPulled(VersionPart part) {
        boolean pulled =
                part instanceof VersionPart.Block block && block.model().settings().pulls() != null;
        if (!pulled) {
            throw new IllegalStateException(
                    "version "
                            + newest
                            + " was published while the job started; starting again from it");
        }
    }

    private void compare(VersionPart part) {
        if (adopted == null
                || adopted.version() != part.version()
                || !(part instanceof VersionPart.Block block)) {
            return;
        }
        Frame published = adopted.frames().get(block.model().shard().block());
        Frame own = Frame.read(Frames.of(block.model(), blocks, null)).orElseThrow();
        if (own.valuesCrc() != published.valuesCrc()) {
            throw new IllegalStateException(
                    "version "
                            + part.version()
                            + " was published with other values; starting again from the topic");
        }
    }

    private void publish(Assembly version) {
        boolean plain = true;
        for (VersionPart.Block part : version.parts) {
            plain &= part.moments().length == 0 && part.previous() == null;
        }
        producer.beginTransaction();
        for (VersionPart.Block part : version.parts) {
            int block = part.model().shard().block();
            send(
                    edge.topics().models(),
                    block,
                    Frames.of(
                            part.model(),
                            blocks,
                            participants,
                            edge.evaluator().worker(),
                            edge.work(),
                            edge.signing()));
            if (block == 0 || !plain) {
                VersionState state =
                        new VersionState(
                                edge.submitted(),
                                part.moments(),
                                part.previous(),
                                block == 0 ? version.memory : null);
                Header header = Header.model(edge.run(), part.version(), new ShardId(0, block));
                send(
                        edge.topics().states(),
                        block,
                        Frames.ofState(header, plain ? 1 : blocks, state.bytes(), edge.signing()));
            }
        }
        commit();
    }

    /**
     * Says on the topic that this job goes on from the newest version, so that an earlier one that
     * is still there gives way at its next start; without that, the two would fence each other off
     * by turns.
     */
    void claim() {
        if (adopted == null || adopted.submitted() >= edge.submitted()) {
            return;
        }
        producer.beginTransaction();
        for (int block = 0; block < adopted.states().size(); block++) {
            VersionState state = adopted.states().get(block).by(edge.submitted());
            Header header = Header.model(edge.run(), newest, new ShardId(0, block));
            send(
                    edge.topics().states(),
                    block,
                    Frames.ofState(header, adopted.states().size(), state.bytes(), edge.signing()));
        }
        commit();
    }

    private void send(String topic, int block, byte[] frame) {
        byte[] key =
                ByteBuffer.allocate(Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(block)
                        .array();
        producer.send(
                new ProducerRecord<>(
                        topic, Topics.partition(block, edge.partitions()), key, frame));
    }

    /** A commit that timed out may be tried again, and a broker that restarts takes a while. */
    private void commit() {
        long deadline = System.nanoTime() + COMMIT_PATIENCE_NANOS;
        while (true) {
            try {
                producer.commitTransaction();
                return;
            } catch (TimeoutException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
            }
        }
    }
}
