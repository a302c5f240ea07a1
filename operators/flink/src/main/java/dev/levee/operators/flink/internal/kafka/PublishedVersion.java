package dev.levee.operators.flink.internal.kafka;

import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.job.KafkaEdge;
import dev.levee.connectors.kafka.job.PastModels;
import dev.levee.connectors.kafka.job.PastRounds;
import dev.levee.connectors.kafka.job.VersionState;
import dev.levee.connectors.kafka.versions.NewestVersion;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.operators.rounds.coordinator.CoordinatorMemory;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.kafka.clients.consumer.Consumer;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * The newest published version, with the state of the requested blocks. A job without newer state
 * continues from it. Blocks of several servers are numbered consecutively, server by server,
 * because they are shards.
 *
 * @param version counts rounds of workers, as users do
 * @param frames the models that workers read, by shard
 * @param states the states of shards; only of shard 0 if the others have none
 */
public record PublishedVersion(
        long version, Map<Integer, Frame> frames, Map<Integer, VersionState> states) {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(20);

    /**
     * Finds the newest version on a run's topics. The state of block 0, which each version has,
     * determines the newest version. Other partitions are read only if they contain requested
     * blocks.
     *
     * @param shards the shards whose models and states are needed
     * @param states the shards of which only the state is needed
     * @throws RunFailedException if the topics belong to a newer run, or to another model
     * @throws IllegalStateException if models and states do not agree for minutes
     */
    public static Optional<PublishedVersion> newest(
            KafkaEdge edge, Slices slices, BitSet shards, BitSet states) {
        BitSet first = new BitSet();
        first.set(0);
        BitSet wanted = (BitSet) states.clone();
        wanted.or(shards);
        wanted.set(0);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try (Consumer<byte[], byte[]> consumer = KafkaClients.consumer(edge.kafka())) {
            Search search = new Search(edge, consumer, edge.ring().count() * slices.count());
            while (true) {
                Optional<NewestVersion.Found> newest = search.states(first);
                Optional<NewestVersion.Found> models =
                        shards.isEmpty() ? newest : search.models(shards);
                if (newest.isEmpty() && models.isEmpty()) {
                    return Optional.empty();
                }
                // A transaction writes both, but it becomes visible partition by partition.
                if (newest.isPresent() && same(newest, models)) {
                    Optional<NewestVersion.Found> beside =
                            wanted.equals(first) ? newest : search.states(wanted);
                    if (same(newest, beside)) {
                        List<Frame> frames = shards.isEmpty() ? List.of() : models.get().frames();
                        return Optional.of(of(edge, slices, frames, beside.get()));
                    }
                }
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException(
                            edge.topics().models()
                                    + " and "
                                    + edge.topics().states()
                                    + " have no version in common");
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    /**
     * Reports of the rounds of a server that led to this version, from one round on, in order.
     * Reports that are no longer on the topic of states are missing.
     *
     * @param memory the shard whose state contains them
     */
    public List<RoundReport> rounds(KafkaEdge edge, int memory, long from) {
        try (Consumer<byte[], byte[]> consumer = KafkaClients.consumer(edge.kafka())) {
            return PastRounds.between(
                    consumer,
                    edge.topics().states(),
                    memory,
                    edge.run(),
                    edge.job(),
                    from,
                    version,
                    PATIENCE);
        }
    }

    /**
     * Passes on the models of earlier versions that had to be evaluated and that are still on the
     * topic of models.
     *
     * @param after version after which they begin
     */
    public void evaluated(KafkaEdge edge, Slices slices, long after, PastModels.Output output) {
        try (Consumer<byte[], byte[]> consumer = KafkaClients.consumer(edge.kafka())) {
            PastModels.read(
                    consumer,
                    edge.topics().models(),
                    slices,
                    edge.ring(),
                    new PastModels.Range(edge.run(), after, version),
                    PATIENCE,
                    output);
        }
    }

    private static boolean same(
            Optional<NewestVersion.Found> first, Optional<NewestVersion.Found> second) {
        return first.map(NewestVersion.Found::version)
                .equals(second.map(NewestVersion.Found::version));
    }

    /** Finds versions of the run on its topics. */
    private record Search(KafkaEdge edge, Consumer<byte[], byte[]> consumer, int count) {
        private Optional<NewestVersion.Found> models(BitSet blocks) {
            return find(edge.topics().models(), FrameKind.MODEL, blocks);
        }

        private Optional<NewestVersion.Found> states(BitSet blocks) {
            return find(edge.topics().states(), FrameKind.STATE, blocks);
        }

        private Optional<NewestVersion.Found> find(String topic, FrameKind kind, BitSet blocks) {
            Optional<NewestVersion.Found> found =
                    NewestVersion.find(
                            consumer,
                            topic,
                            kind,
                            edge.ring(),
                            new NewestVersion.Blocks(blocks, count),
                            PATIENCE);
            if (found.isPresent() && found.get().run() > edge.run()) {
                throw new RunFailedException(
                        "a newer run has begun on " + topic + "; this one is over");
            }
            return found.filter(each -> each.run() == edge.run());
        }
    }

    private static PublishedVersion of(
            KafkaEdge edge, Slices slices, List<Frame> models, NewestVersion.Found states) {
        Map<Integer, Frame> frames = new TreeMap<>();
        for (Frame frame : models) {
            boolean fits =
                    frame.blocks() == slices.count()
                            && frame.length() == slices.length(frame.block());
            if (!fits) {
                throw new RunFailedException(
                        edge.topics().models() + " has versions of a model of another size");
            }
            frames.put(frame.server() * slices.count() + frame.block(), frame);
        }
        Map<Integer, VersionState> beside = new TreeMap<>();
        states.frames().forEach(each -> beside.put(each.block(), VersionState.of(each.state())));
        return new PublishedVersion(states.version(), frames, beside);
    }

    /** State published with a shard's model. */
    public VersionState state(int shard) {
        VersionState own = states.get(shard);
        return own != null ? own : new VersionState(submitted(), new float[0][], null, null);
    }

    /** A shard's true model, even if workers read a forged one. */
    public float[] values(int shard) {
        float[] own = state(shard).own();
        return own != null ? own : frames.get(shard).model().values();
    }

    /**
     * The state from which a server's coordinator continues.
     *
     * @param shard the server's first shard
     */
    public CoordinatorMemory memory(int shard) {
        return states.get(shard).memory();
    }

    /** When the job that made this version was submitted, microseconds since the epoch. */
    public long submitted() {
        return states.get(0).submitted();
    }
}
