package dev.levee.operators.flink.internal.kafka;

import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.job.KafkaEdge;
import dev.levee.connectors.kafka.job.VersionAssembly;
import dev.levee.connectors.kafka.job.VersionAssembly.Version;
import dev.levee.connectors.kafka.job.VersionPart;
import dev.levee.connectors.kafka.job.VersionState;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.ToldServers;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.adversary.ServerLies;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Publishes each version once, in order, in one transaction. The topic is authoritative: a part of
 * a version that is already there is only compared, and a shard that continues from another version
 * than the newest on the topic makes the job restart from the newest.
 */
final class VersionPublisher {
    private static final long COMMIT_PATIENCE_NANOS = Duration.ofMinutes(5).toNanos();

    private final KafkaEdge edge;
    private final Training training;
    private final Slices slices;
    private final ServerLies lies;
    private final ToldServers says;
    private final int servers;
    private final int shards;
    private final Producer<byte[], byte[]> producer;
    private final VersionAssembly assembly;

    /** What {@link #missing} was when {@link #stuck} was called last. */
    private int before;

    /**
     * Creates a publisher whose producer has fenced all others.
     *
     * @param adopted the newest version on the topic after fencing, empty if there is none
     */
    VersionPublisher(
            KafkaEdge edge,
            Training training,
            Slices slices,
            Producer<byte[], byte[]> producer,
            Optional<PublishedVersion> adopted) {
        this.edge = edge;
        this.training = training;
        this.slices = slices;
        this.lies = new ServerLies(training, slices);
        this.servers = training.topology().servers();
        this.says = servers == 1 ? null : says(training.topology());
        this.shards = servers * slices.count();
        this.before = shards + servers;
        this.producer = producer;
        this.assembly =
                new VersionAssembly(
                        training,
                        slices,
                        adopted.map(PublishedVersion::version).orElse(-1L),
                        adopted.map(each -> each.frames().get(0).settings().stop()).orElse(false),
                        adopted.<IntFunction<float[]>>map(each -> each::values).orElse(null));
    }

    private static ToldServers says(Topology topology) {
        Exchange exchange = topology.exchange();
        return new ToldServers(
                topology.servers(),
                exchange.byzantine(),
                exchange.rule().name(),
                exchange.every(),
                topology.reading());
    }

    private int index(VersionPart.Block block) {
        return block.model().shard().index(slices.count());
    }

    /** The newest published version, −1 before the first. */
    long newest() {
        return assembly.newest();
    }

    /**
     * True if a shard or coordinator does not continue from the newest version or the next, and
     * none has begun to since the last call. In a new run, there is no version to continue from.
     */
    boolean stuck() {
        int now = missing();
        boolean stuck = newest() >= 0 && now > 0 && now == before;
        before = now;
        return stuck;
    }

    /** Number of shards and coordinators that do not continue from the newest version yet. */
    int missing() {
        return assembly.missing();
    }

    /**
     * Adds a part, and publishes its version if that is now complete.
     *
     * @return true if a version was published
     * @throws IllegalStateException if the part contradicts the published version, or is older
     */
    boolean add(VersionPart part) {
        Optional<Version> whole = assembly.add(part);
        whole.ifPresent(version -> publish(newest(), version));
        return whole.isPresent();
    }

    private void publish(long number, Version version) {
        boolean plain = servers == 1;
        for (VersionPart.Block part : version.blocks()) {
            plain &= part.moments().length == 0 && part.previous() == null;
        }
        float[][] told = told(version);
        producer.beginTransaction();
        for (VersionPart.Block part : version.blocks()) {
            ShardId shard = part.model().shard();
            int index = index(part);
            float[] lie = told[shard.server()];
            float[] values = lie == null ? part.model().values() : slices.cut(lie, shard.block());
            send(edge.topics().models(), index, frame(number, part.model(), values));
            if (shard.block() == 0 || !plain) {
                VersionState state =
                        new VersionState(
                                edge.submitted(),
                                part.moments(),
                                part.previous(),
                                lie == null ? null : part.model().values(),
                                shard.block() == 0 ? version.memories().get(shard.server()) : null);
                Header header = Header.model(edge.run(), number, new ShardId(0, index));
                send(
                        edge.topics().states(),
                        index,
                        Frames.ofState(header, plain ? 1 : shards, state.bytes(), edge.signing()));
            }
        }
        commit();
    }

    /** The forged models that workers read, for Byzantine servers; null for honest servers. */
    private float[][] told(Version version) {
        float[][] told = new float[servers][];
        if (lies.any()) {
            float[][] models = new float[servers][];
            Arrays.setAll(models, server -> version.model(slices, server));
            float[][] all = lies.told(models, version.blocks().get(0).version());
            Arrays.setAll(told, server -> all[server] == models[server] ? null : all[server]);
        }
        return told;
    }

    private byte[] frame(long number, ModelBlock model, float[] values) {
        return Frames.of(
                new ModelBlock(
                        Header.model(edge.run(), number, model.shard()), model.settings(), values),
                slices.count(),
                training.workers(),
                edge.evaluator().worker(),
                edge.work(),
                says,
                edge.signing(model.shard().server()));
    }

    /**
     * Records on the topic that this job continues from the newest version, so that an earlier job
     * that still exists gives up at its next start. Otherwise, the two jobs would fence each other
     * in turn.
     *
     * @param adopted the newest version
     */
    void claim(PublishedVersion adopted) {
        if (adopted.submitted() >= edge.submitted()) {
            return;
        }
        producer.beginTransaction();
        for (int shard = 0; shard < adopted.states().size(); shard++) {
            VersionState state = adopted.states().get(shard).by(edge.submitted());
            Header header = Header.model(edge.run(), newest(), new ShardId(0, shard));
            send(
                    edge.topics().states(),
                    shard,
                    Frames.ofState(header, adopted.states().size(), state.bytes(), edge.signing()));
        }
        commit();
    }

    private void send(String topic, int shard, byte[] frame) {
        byte[] key =
                ByteBuffer.allocate(Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(shard)
                        .array();
        producer.send(
                new ProducerRecord<>(
                        topic, Topics.partition(shard, edge.partitions()), key, frame));
    }

    /**
     * Commits the transaction. A commit that timed out may be retried, because a broker needs a
     * while to restart.
     */
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
