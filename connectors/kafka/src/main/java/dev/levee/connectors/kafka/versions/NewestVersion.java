package dev.levee.connectors.kafka.versions;

import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.connectors.kafka.wire.VerifyingKey;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the newest complete version on a topic. */
public final class NewestVersion {
    /**
     * A complete version.
     *
     * @param frames those that were looked for, by block and, of several servers, server by server
     * @param publishedAt when the last of them was appended, the broker's milliseconds since the
     *     epoch
     * @param next of each partition, the offset from which nothing newer is missed
     */
    public record Found(
            long run,
            long version,
            List<Frame> frames,
            long publishedAt,
            Map<TopicPartition, Long> next) {
        /** Copies its arguments. */
        public Found {
            frames = List.copyOf(frames);
            next = Map.copyOf(next);
        }
    }

    /**
     * The blocks that are looked for. A version is written in one transaction, so where some of its
     * blocks can be read the others are there, or about to be.
     *
     * @param wanted those that must be there
     * @param count number of blocks of the model, 0 if unknown
     */
    public record Blocks(BitSet wanted, int count) {
        public static final Blocks ALL = new Blocks(null, 0);

        /** Offsets of each partition that are read first if the number of blocks is unknown. */
        private static final int FIRST_WINDOW = 16;

        private static final int FIRST_VERSIONS = 2;

        /** Some blocks of a model of so many. */
        public Blocks {
            wanted = wanted == null ? null : (BitSet) wanted.clone();
        }

        boolean has(int block) {
            return wanted == null || wanted.get(block);
        }

        /** Number of a version's blocks that must be there. */
        int of(int blocks) {
            return wanted == null ? blocks : wanted.get(0, blocks).cardinality();
        }

        boolean in(int partition, int partitions) {
            return wanted == null
                    || wanted.stream()
                            .anyMatch(block -> Topics.partition(block, partitions) == partition);
        }

        /** Number of records of the last versions, with the marks that end their transactions. */
        int firstWindow(int partitions) {
            int each = (count + partitions - 1) / partitions + 1;
            return count == 0 ? FIRST_WINDOW : FIRST_VERSIONS * each;
        }
    }

    private NewestVersion() {}

    /**
     * The newest version, that of the greatest run and then of the greatest version, all of whose
     * blocks are there and authentic; what is not authentic is passed over. Leaves the consumer
     * assigned to all partitions of the topic, at {@link Found#next}, or at its end if nothing was
     * found.
     *
     * @param consumer reads what has been committed, as {@link KafkaClients#consumer} does
     * @param job the job's public key, null in a run without keys
     * @param patience how long nothing at all may arrive
     * @throws UnknownTopicOrPartitionException if there is no such topic; one sentence
     * @throws TimeoutException if patience ends; one sentence
     */
    public static Optional<Found> find(
            Consumer<byte[], byte[]> consumer,
            String topic,
            FrameKind kind,
            VerifyingKey job,
            Duration patience) {
        return find(consumer, topic, kind, ServerRing.of(job), Blocks.ALL, patience);
    }

    /**
     * The same for some blocks only: reads no partition that has none of them, and finds the newest
     * version of which all of them are there, with no other frames. Blocks of several servers are
     * counted on, server by server.
     *
     * @param ring who is believed
     */
    public static Optional<Found> find(
            Consumer<byte[], byte[]> consumer,
            String topic,
            FrameKind kind,
            ServerRing ring,
            Blocks blocks,
            Duration patience) {
        VersionFollower follower = new VersionFollower(consumer, topic, kind, ring, blocks);
        Optional<Found> found = follower.find(patience);
        found.ifPresent(newest -> newest.next().forEach(consumer::seek));
        return found;
    }
}
