package dev.levee.operators.flink.internal.kafka;

import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.KafkaEdge;
import dev.levee.connectors.kafka.NewestVersion;
import dev.levee.connectors.kafka.PastRounds;
import dev.levee.connectors.kafka.VersionState;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.operators.rounds.CoordinatorMemory;
import dev.levee.operators.rounds.RoundReport;
import dev.levee.operators.rounds.RunFailedException;
import dev.levee.operators.rounds.Slices;

import org.apache.kafka.clients.consumer.Consumer;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The newest version that has been published, with what belongs to it of the blocks that somebody
 * asked for: where a job goes on that knows less.
 *
 * @param frames the model, by block
 * @param states what belongs to it, by block; of block 0 alone if the others have nothing
 */
public record PublishedVersion(
        long version, Map<Integer, Frame> frames, Map<Integer, VersionState> states) {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /**
     * Looks for the newest version on a run's topics. The state of block 0, which each version has,
     * says which one that is; of the rest only partitions are read that have some of the blocks.
     *
     * @param blocks those of the model that are needed, none for the coordinator's memory alone
     * @throws RunFailedException if the topics belong to a newer run, or to another model
     * @throws IllegalStateException if models and states do not agree for minutes
     */
    public static Optional<PublishedVersion> newest(KafkaEdge edge, Slices slices, BitSet blocks) {
        BitSet first = new BitSet();
        first.set(0);
        BitSet withFirst = (BitSet) blocks.clone();
        withFirst.set(0);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try (Consumer<byte[], byte[]> consumer = KafkaClients.consumer(edge.kafka())) {
            Search search = new Search(edge, consumer, slices.count());
            while (true) {
                Optional<NewestVersion.Found> newest = search.states(first);
                if (newest.isPresent() && blocks.isEmpty()) {
                    return Optional.of(of(edge, slices, List.of(), newest.get()));
                }
                Optional<NewestVersion.Found> models =
                        blocks.isEmpty() ? Optional.empty() : search.models(blocks);
                if (newest.isEmpty() && models.isEmpty()) {
                    return Optional.empty();
                }
                // Both are written in one transaction, but it becomes visible partition by
                // partition.
                if (newest.isPresent() && same(newest, models)) {
                    Optional<NewestVersion.Found> states =
                            withFirst.equals(first) ? newest : search.states(withFirst);
                    if (same(newest, states)) {
                        return Optional.of(of(edge, slices, models.get().frames(), states.get()));
                    }
                }
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException(
                            edge.topics().models()
                                    + " and "
                                    + edge.topics().states()
                                    + " have no version in common");
                }
            }
        }
    }

    /**
     * Reports of the rounds from one on that led to this version, as far as the topic of states
     * still tells them; in order.
     */
    public List<RoundReport> rounds(KafkaEdge edge, long from) {
        try (Consumer<byte[], byte[]> consumer = KafkaClients.consumer(edge.kafka())) {
            return PastRounds.between(
                    consumer,
                    edge.topics().states(),
                    edge.run(),
                    edge.job(),
                    from,
                    version,
                    PATIENCE);
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
                            edge.job(),
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
            frames.put(frame.block(), frame);
        }
        Map<Integer, VersionState> beside = new TreeMap<>();
        states.frames().forEach(each -> beside.put(each.block(), VersionState.of(each.state())));
        return new PublishedVersion(states.version(), frames, beside);
    }

    /** What belongs to a block. */
    public VersionState state(int block) {
        VersionState own = states.get(block);
        return own != null ? own : new VersionState(submitted(), new float[0][], null, null);
    }

    /** What the coordinator goes on from. */
    public CoordinatorMemory memory() {
        return states.get(0).memory();
    }

    /** When the job was submitted that made this version, microseconds since the epoch. */
    public long submitted() {
        return states.get(0).submitted();
    }
}
