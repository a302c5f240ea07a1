package dev.levee.operators.flink.internal.kafka;

import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.KafkaEdge;
import dev.levee.connectors.kafka.NewestVersion;
import dev.levee.connectors.kafka.VersionState;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.operators.rounds.CoordinatorMemory;
import dev.levee.operators.rounds.RunFailedException;
import dev.levee.operators.rounds.Slices;

import org.apache.kafka.clients.consumer.Consumer;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The newest version that has been published, with all that belongs to it: where a job goes on that
 * knows less.
 *
 * @param frames the model, by block
 * @param states what belongs to it, by block; of block 0 alone if the others have nothing
 */
public record Adoption(long version, List<Frame> frames, List<VersionState> states) {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /**
     * Looks for the newest version on a run's topics.
     *
     * @throws RunFailedException if the topics belong to a newer run, or to another model
     * @throws IllegalStateException if models and states do not agree for minutes
     */
    public static Optional<Adoption> newest(KafkaEdge edge, Slices slices) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            Optional<NewestVersion.Found> models =
                    find(edge, edge.topics().models(), FrameKind.MODEL);
            Optional<NewestVersion.Found> states =
                    find(edge, edge.topics().states(), FrameKind.STATE);
            if (models.isEmpty() && states.isEmpty()) {
                return Optional.empty();
            }
            // Both are written in one transaction, but it becomes visible partition by partition.
            boolean agree =
                    models.isPresent()
                            && states.isPresent()
                            && models.get().version() == states.get().version();
            if (agree) {
                return Optional.of(of(edge, slices, models.get(), states.get()));
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

    private static Optional<NewestVersion.Found> find(
            KafkaEdge edge, String topic, FrameKind kind) {
        try (Consumer<byte[], byte[]> consumer = KafkaClients.consumer(edge.kafka())) {
            Optional<NewestVersion.Found> found =
                    NewestVersion.find(consumer, topic, kind, edge.job(), PATIENCE);
            if (found.isPresent() && found.get().run() > edge.run()) {
                throw new RunFailedException(
                        "a newer run has begun on " + topic + "; this one is over");
            }
            return found.filter(each -> each.run() == edge.run());
        }
    }

    private static Adoption of(
            KafkaEdge edge, Slices slices, NewestVersion.Found models, NewestVersion.Found states) {
        boolean fits = models.frames().size() == slices.count();
        for (Frame frame : models.frames()) {
            fits &= fits && frame.length() == slices.length(frame.block());
        }
        if (!fits) {
            throw new RunFailedException(
                    edge.topics().models() + " has versions of a model of another size");
        }
        return new Adoption(
                models.version(),
                models.frames(),
                states.frames().stream().map(frame -> VersionState.of(frame.state())).toList());
    }

    /** What belongs to a block. */
    public VersionState state(int block) {
        return block < states.size()
                ? states.get(block)
                : new VersionState(submitted(), new float[0][], null, null);
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
